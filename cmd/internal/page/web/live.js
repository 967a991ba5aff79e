// Live is the tool of a playground, in a worker. It is loaded when the first question is asked.
export class Live {
  #address; #path; #files; #started = null; #last = Promise.resolve();

  constructor({ address, path, files }) {
    this.#address = address;
    this.#path = path;
    this.#files = files;
  }

  // position tells of a game {variant, params, start, moves}: which moves are legal after these, and
  // what each does. It fails with an error that says why it cannot tell.
  async position(game) {
    this.#started ??= this.#start();
    let worker;
    try {
      worker = await this.#started;
    } catch (e) {
      this.#started = null; // the next question may find it
      throw e;
    }
    return this.#ask(worker, { ask: "position", source: { path: this.#path, text: this.#files[this.#path] }, game });
  }

  async #start() {
    const [program, code] = await Promise.all([
      this.#load("mancheck.wasm").then(reply => reply.arrayBuffer()).then(bytes => WebAssembly.compile(bytes)),
      this.#load("worker.js").then(reply => reply.text()),
    ]);
    // A worker has to come from where the page comes from.
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));
    await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => data.ready && resolve();
      worker.onerror = e => reject(new Error(`The playground's tool does not start: ${e.message}`));
      worker.postMessage({ program });
    });
    await this.#ask(worker, { ask: "library", files: this.#files });
    return worker;
  }

  async #load(name) {
    const reply = await fetch(`${this.#address}/${name}`).catch(() => null);
    if (reply?.ok) return reply;
    const served = location.protocol === "file:" && !/^https?:/.test(this.#address) ? " A page that is opened as a file cannot load it: it takes a web server." : "";
    throw new Error(`The playground at ${this.#address} cannot be loaded.${served}`);
  }

  // ask asks one question after another.
  #ask(worker, question) {
    const answer = this.#last.then(() => new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => data.answer && resolve(JSON.parse(data.answer));
      worker.onerror = e => { this.#started = null; reject(new Error(`The playground's tool has failed: ${e.message}`)); };
      worker.postMessage({ question: JSON.stringify(question) });
    })).then(answer => {
      if (answer.error) throw new Error(answer.error);
      return answer;
    });
    this.#last = answer.catch(() => {});
    return answer;
  }
}
