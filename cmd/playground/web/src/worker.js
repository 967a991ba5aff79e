// The worker that runs the tool. It gets the compiled program, and then questions one at a time; it
// answers with what is known before the answer is complete, and then with the answer.

import "wasm_exec";

self.onmessage = async ({ data }) => {
  if (data.program) await start(data.program);
  else if (data.interrupt) self.mancheck.interrupt();
  else self.mancheck.ask(data.question, part => self.postMessage({ part }), answer => self.postMessage({ answer }));
};

async function start(program) {
  const go = new self.Go();
  self.ready = () => self.postMessage({ ready: true });
  try {
    await go.run(await WebAssembly.instantiate(program, go.importObject));
    self.postMessage({ failed: "the program has ended" });
  } catch (e) {
    self.postMessage({ failed: String(e.message) });
  }
}
