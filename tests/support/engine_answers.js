/**
 * The answers of the engine for JavaScript to some work, to compare with Python's (engine_answers.py).
 *
 * @param {import("../../crates/web/js/engine.js").Engine} call
 * @param {{games: [string, number][], searches: [string, number, number][], reviews: [string, number, number][]}} work
 */
export function answers(call, { games, searches, reviews }) {
  /** @param {number} work */
  const finish = (work) => {
    let found;
    while (!found) found = call("work", { work, playouts: 25 });
    return found;
  };
  return {
    games: games.map(([rules, seed]) => {
      let { record, position } = call("new_game", { rules, seed });
      const positions = [position.text];
      while (position.phase !== "over") {
        const action = call("choose", { position: position.text, policy: seed % 2 ? "tuned" : "random", seed });
        ({ record, position } = call("play", { record, action }));
        positions.push(position.text);
      }
      return { positions, scores: position.kingdoms.map(({ score }) => score.total) };
    }),
    searches: searches.map(([position, seed, playouts]) => {
      const search = call("search", { position, seed });
      while (call("run", { search, playouts }) === "stopped");
      const analysis = call("analysis", { search });
      call("free", { search });
      return analysis;
    }),
    reviews: reviews.map(([record, seed, playouts]) => {
      const { actions } = call("read_record", { record });
      const { start } = finish(call("judge_start", { record, seed, playouts }));
      const decisions = actions.map((_, ply) => finish(call("judge_ply", { record, ply, seed, playouts })).decision);
      return JSON.stringify(call("review", { record, start, decisions }));
    }),
  };
}
