// The engine of engine.py once more: most crowns first, and close to the castle.
const lines = require("node:readline").createInterface({ input: process.stdin });
let dominoes = []; // the two ends of dominoes 1 to 48, like ["w", "m3"]

function worth(action) {
    const numbers = action.match(/-?\d+/g)?.map(Number) ?? [];
    if (!action.startsWith("claim")) return -numbers.reduce((sum, number) => sum + Math.abs(number), 0);
    const [left, right] = dominoes[numbers[0] - 1];
    return 100 * (Number(left.slice(1)) + Number(right.slice(1))) + numbers[0];
}

function answer({ kind, ...asked }) {
    if (kind === "hello") return { kind, version: 1, name: "crowns first, in JavaScript" };
    if (kind === "game") return (dominoes = asked.dominoes), { kind: "ready" };
    if (kind === "choose")
        return { kind: "action", action: asked.actions.reduce((a, b) => (worth(b) > worth(a) ? b : a)) };
}

lines.on("line", (line) => {
    let asked = {}, said;
    try {
        asked = JSON.parse(line);
        if (!asked?.kind) throw Error("this is not a message");
        if (asked.kind === "quit") process.exit();
        said = answer(asked);
    } catch (error) {
        said = { kind: "error", message: String(error) };
    }
    if (said) console.log(JSON.stringify({ id: asked?.id, ...said }));
});
