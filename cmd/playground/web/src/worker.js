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
  const { exports } = await WebAssembly.instantiate(program, go.importObject).then(instance => ({ exports: instance }));
  self.ready = () => self.postMessage({ ready: true });
  go.run(exports).then(() => { throw new Error("the program has ended"); });
}
