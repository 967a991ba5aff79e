// The tool, in workers: one reads texts and plays, so that it answers at once; the other one decides
// claims and analyses, and may take long.

// load compiles the program once for all workers.
async function load(address) {
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${address}: ${reply.status}`);
  // Not every host tells that this is a program.
  if (reply.headers.get("Content-Type")?.startsWith("application/wasm")) return WebAssembly.compileStreaming(reply);
  return WebAssembly.compile(await reply.arrayBuffer());
}

const MOST = 30_000; // milliseconds for an answer, unless the question says otherwise

export class Stopped extends Error {
  constructor(reason = "stopped") { super(reason); }
}

// Runner is a worker with a queue of questions.
class Runner {
  #program; #script; #worker = null; #ready = null; #queue = []; #now = null; #timer = 0; #files = null;

  // script is the address of what the worker runs.
  constructor(program, script) {
    this.#program = program;
    this.#script = script;
    this.#start();
  }

  get busy() { return this.#now !== null || this.#queue.length > 0; }

  // ask asks a question. told gets what is known before the answer. An answer that takes more than
  // most milliseconds is not waited for, unless that is 0: then the reader has a way to stop it. The
  // worker is ended with the question, whatever it does, and another one started. A question with a topic takes the place of one of the
  // same topic that still waits.
  ask(question, { told = () => {}, most = MOST, topic = null } = {}) {
    return new Promise((resolve, reject) => {
      if (topic !== null) {
        for (const q of this.#queue.filter(q => q.topic === topic)) q.reject(new Stopped("superseded"));
        this.#queue = this.#queue.filter(q => q.topic !== topic);
      }
      this.#queue.push({ question, told, most, topic, resolve, reject });
      this.#next();
    });
  }

  // provide makes files known that texts may import.
  provide(files) {
    this.#files = files;
    return this.ask({ ask: "library", files });
  }

  // interrupt asks the tool to come to an end with the question at hand, if that has the topic.
  interrupt(topic) {
    if (this.#now?.topic === topic) this.#worker.postMessage({ interrupt: true });
  }

  // stop ends all that is under way, with the worker, and starts another one.
  stop(reason) {
    const all = [...(this.#now ? [this.#now] : []), ...this.#queue];
    this.#worker.terminate();
    clearTimeout(this.#timer);
    this.#now = null;
    this.#queue = [];
    this.#start();
    for (const q of all) q.reject(new Stopped(reason));
    if (this.#files) this.provide(this.#files).catch(() => {});
  }

  #start() {
    const worker = this.#worker = new Worker(this.#script);
    this.#ready = new Promise(resolve => {
      worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.part) this.#now?.told(JSON.parse(data.part));
        else if (data.answer) this.#answered(JSON.parse(data.answer));
        else if (data.failed) this.#failed(data.failed);
      };
    });
    worker.onerror = e => {
      e.preventDefault();
      this.#failed(e.message);
    };
    this.#program.then(program => worker.postMessage({ program }), () => {});
  }

  // failed begins anew after a program that ended by itself: mostly it had no memory left.
  #failed(reason) { this.stop(`the tool has failed, perhaps because it had no memory left: ${reason}`); }

  async #next() {
    if (this.#now || this.#queue.length === 0) return;
    const now = this.#now = this.#queue.shift();
    await this.#ready;
    if (this.#now !== now) return; // stopped meanwhile
    if (now.most > 0) this.#timer = setTimeout(() => this.stop(`it took longer than ${now.most / 1000} seconds`), now.most);
    this.#worker.postMessage({ question: JSON.stringify(now.question) });
  }

  #answered(answer) {
    const { resolve } = this.#now;
    clearTimeout(this.#timer);
    this.#now = null;
    resolve(answer);
    this.#next();
  }
}

export class Engine {
  constructor(address) {
    const program = load(address);
    this.reader = new Runner(program, "worker.js");
    this.thinker = new Runner(program, "worker.js");
    this.ready = program.then(() => Promise.all([this.reader, this.thinker].map(r => r.ask({ ask: "hello" })))).then(([hello]) => hello);
  }

  // provide makes files known. What the thinker is at may take long: its next question comes after
  // the files, and nobody waits for that.
  provide(files) {
    this.thinker.provide(files).catch(() => {});
    return this.reader.provide(files);
  }
}

// reader is a worker of the playground in a folder, for other pages: it reads texts and plays.
export function reader(folder) {
  const program = load(`${folder}mancheck.wasm`), runner = new Runner(program, `${folder}worker.js`);
  runner.ready = program.then(() => runner.ask({ ask: "hello" }));
  return runner;
}
