// The tool for boards on pages: one worker for all, started when a board is first played.

import { reader } from "engine";

let started = null;

// start resolves to what asks the tool, with the places of seeds and the files of the repository.
export function start(folder) {
  started ??= open(folder);
  started.catch(() => { started = null; }); // another time it may work
  return started;
}

async function open(folder) {
  const runner = reader(folder);
  const [hello, reply] = await Promise.all([runner.ready, fetch(`${folder}library.json`)]);
  if (!reply.ok) throw new Error(`the games cannot be loaded: ${reply.status}`);
  const files = await reply.json();
  await runner.provide(files);
  return {
    dots: hello.dots,
    position: async (file, moves, variant) => {
      const found = await runner.ask({ ask: "position", source: { path: file, text: files[file] }, game: { variant, moves } }, { most: 10_000 });
      if (found.error) throw new Error(found.error);
      return found;
    },
  };
}
