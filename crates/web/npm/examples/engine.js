// An engine for the arena: `kingdomino simulate --bots "engine:command=node engine.js,tuned"`.
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { Search, choose } from "kingdomino";

let isStopped = false;
const answers = {
  hello: () => ({ kind: "hello", version: 1, name: "search in JavaScript" }),
  game: () => ({ kind: "ready" }),
  stop: () => void (isStopped = true),
  quit: () => process.exit(),
  async choose({ position, limit: { time = Infinity, playouts = Infinity }, seed = 0 }) {
    const search = new Search(position, { seed });
    const end = performance.now() + 800 * time;
    isStopped = false;
    for (let made = 0; made < playouts && performance.now() < end && !isStopped; made += 20) {
      if (["solved", "full"].includes(search.run(20))) break;
      await setImmediate(); // reads whether it should stop
    }
    const action = search.best ?? choose(position);
    search.free();
    return { kind: "action", action };
  },
};
createInterface({ input: process.stdin }).on("line", async (line) => {
  let asked, said;
  try {
    asked = JSON.parse(line);
    if (!asked?.kind) throw Error("this is not a message");
    said = await answers[asked.kind]?.(asked);
  } catch (error) {
    said = { kind: "error", message: String(error) };
  }
  if (said) console.log(JSON.stringify({ id: asked?.id, ...said }));
});
