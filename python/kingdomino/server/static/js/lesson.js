/**
 * The seven steps of the lesson, written down: nothing here works a rule out. They are moments of one real
 * game; the places, points and reasons are what the server said then. Imports nothing.
 */

/** The kingdom of that game, in the order in which it grew. */
export const KINGDOM = [
  [2, 1, 0, 2, 0], [25, -2, 0, -1, 0], [46, 0, 1, 0, 2], [20, 1, -1, 1, -2], [22, 1, 1, 2, 1],
  [26, -2, -1, -1, -1], [23, 0, -1, 0, -2], [1, -2, 1, -1, 1], [21, -2, 2, -1, 2], [41, 1, 2, 2, 2],
  [45, -2, -2, -1, -2],
];

/** The line of the step that claims: what each would bring (-1: it fits nowhere), and who has claimed it. */
export const LINE = [
  { domino: 11, points: -1, seat: null }, { domino: 21, points: 13, seat: null },
  { domino: 36, points: 4, seat: null }, { domino: 48, points: 11, seat: 1 },
];
export const WANTED = 21;

/** What the finished kingdom counts: squares, crowns, and where it lies. */
export const TERRITORIES = [
  {
    crowns: 4,
    squares: [[-2, 1], [-2, 2], [-1, -2], [-1, -1], [-1, 0], [-1, 1],
      [0, -1], [1, -1], [1, 0], [1, 1], [1, 2], [2, 0]],
  },
  { crowns: 2, squares: [[-2, -1], [-2, 0]] },
  { crowns: 2, squares: [[2, 2]] },
  { crowns: 2, squares: [[0, 2]] },
  { crowns: 2, squares: [[-2, -2]] },
];
export const TOTAL = 58;

/** How many dominoes lie, which one comes, where it may lie (with what grows there), where not and why. */
const SCENES = [
  {
    laid: 0, domino: 2, score: 0,
    placements: [
      [1, 0, 2, 0, "wheat 2 0 0"], [-1, 1, 0, 1, "wheat 2 0 0"], [0, 1, 1, 1, "wheat 2 0 0"],
      [-1, -1, 0, -1, "wheat 2 0 0"], [0, -1, 1, -1, "wheat 2 0 0"], [-2, 0, -1, 0, "wheat 2 0 0"],
      [1, 0, 1, 1, "wheat 2 0 0"], [0, 1, 0, 2, "wheat 2 0 0"], [0, -2, 0, -1, "wheat 2 0 0"],
      [-1, -1, -1, 0, "wheat 2 0 0"], [1, -1, 1, 0, "wheat 2 0 0"], [-1, 0, -1, 1, "wheat 2 0 0"],
    ],
    refused: [
      ["no_match", 0, "wheat",
        "-2,-2,-1,-2 -2,-2,-2,-1 -2,-1,-1,-1 -2,-1,-2,0 -2,-1,-2,-2 -2,0,-2,1 -2,0,-2,-1 -2,1,-1,1 " +
        "-2,1,-2,2 -2,1,-2,0 -2,2,-1,2 -2,2,-2,1 -1,-2,0,-2 -1,-2,-1,-1 -1,-2,-2,-2 -1,-1,-2,-1 " +
        "-1,-1,-1,-2 -1,1,-1,2 -1,1,-2,1 -1,2,0,2 -1,2,-2,2 -1,2,-1,1 0,-2,1,-2 0,-2,-1,-2 0,2,1,2 " +
        "0,2,-1,2 1,-2,2,-2 1,-2,1,-1 1,-2,0,-2 1,-1,2,-1 1,-1,1,-2 1,1,2,1 1,1,1,2 1,2,2,2 1,2,0,2 " +
        "1,2,1,1 2,-2,2,-1 2,-2,1,-2 2,-1,2,0 2,-1,1,-1 2,-1,2,-2 2,0,2,1 2,0,2,-1 2,1,2,2 2,1,1,1 " +
        "2,1,2,0 2,2,1,2 2,2,2,1"],
    ],
  },
  {
    laid: 4, domino: 22, score: 6,
    placements: [
      [-2, 1, -1, 1, "wheat 1 1 1 swamp 2 0 0"], [1, 1, 2, 1, "wheat 4 2 5 swamp 1 0 0"],
      [-1, -1, 0, -1, "wheat 2 1 2 swamp 1 0 0"], [-1, 1, -1, 2, "wheat 2 1 2 swamp 1 0 0"],
      [1, 1, 1, 2, "wheat 4 2 5 swamp 1 0 0"], [2, 1, 2, 2, "wheat 4 2 5 swamp 1 0 0"],
      [0, -2, 0, -1, "wheat 1 1 1 swamp 1 0 0"], [-1, 1, -2, 1, "wheat 2 1 2 swamp 1 0 0"],
      [2, 1, 1, 1, "wheat 4 2 5 swamp 2 0 0"], [-1, -1, -2, -1, "wheat 2 1 2 swamp 1 0 0"],
      [0, -1, -1, -1, "wheat 4 2 5 swamp 1 0 0"], [-1, 2, -1, 1, "wheat 1 1 1 swamp 2 0 0"],
      [1, 2, 1, 1, "wheat 1 1 1 swamp 2 0 0"], [-1, -1, -1, -2, "wheat 2 1 2 swamp 1 0 0"],
      [0, -1, 0, -2, "wheat 4 2 5 swamp 1 0 0"], [2, -1, 2, -2, "wheat 4 2 5 swamp 1 0 0"],
    ],
    refused: [
      ["no_match", 0, "wheat swamp",
        "-2,-2,-1,-2 -2,-2,-2,-1 -2,-1,-1,-1 -2,-1,-2,-2 -2,1,-2,2 -2,2,-1,2 -2,2,-2,1 -1,-2,0,-2 " +
        "-1,-2,-1,-1 -1,-2,-2,-2 -1,2,-2,2 0,-2,-1,-2 1,2,2,2 2,-2,2,-1 2,2,1,2 2,2,2,1"],
    ],
  },
  {
    laid: 6, domino: 23, score: 14,
    placements: [
      [-2, 2, -1, 2, "wheat 1 1 1 mine 2 2 2"], [1, 2, 2, 2, "wheat 5 3 7 mine 1 0 0"],
      [-1, -2, 0, -2, "wheat 3 1 3 mine 1 0 0"], [-1, 1, -1, 2, "wheat 3 1 3 mine 2 2 2"],
      [0, -2, 0, -1, "wheat 1 1 1 mine 1 0 0"], [-1, 1, -2, 1, "wheat 3 1 3 mine 1 0 0"],
      [2, 2, 1, 2, "wheat 1 1 1 mine 2 2 2"], [-1, -2, -2, -2, "wheat 3 1 3 mine 1 0 0"],
      [0, -1, 0, -2, "wheat 7 3 13 mine 1 0 0"], [2, -1, 2, -2, "wheat 5 3 7 mine 1 0 0"],
    ],
    refused: [
      ["no_match", 0, "wheat mine",
        "-2,-2,-1,-2 -2,1,-1,1 -2,1,-2,2 -2,2,-2,1 -1,2,-2,2 -1,2,-1,1 0,-2,-1,-2 2,-2,2,-1"],
    ],
  },
  {
    laid: 8, domino: 21, score: 33,
    placements: [
      [-2, 2, -1, 2, "wheat 10 4 13 grassland 1 0 0"], [1, 2, 2, 2, "wheat 10 4 13 grassland 1 0 0"],
      [-1, 2, -2, 2, "wheat 10 4 13 grassland 1 0 0"],
      [-1, -2, -2, -2, "wheat 10 4 13 grassland 1 0 0"],
      [2, -1, 2, -2, "wheat 10 4 13 grassland 1 0 0"],
    ],
    refused: [
      ["too_wide", 6, "",
        "-3,-2,-2,-2 -3,2,-2,2 -2,-2,-3,-2 -2,2,-3,2 2,-2,3,-2 2,-1,3,-1 2,2,3,2 3,-2,2,-2 3,-1,2,-1 " +
        "3,2,2,2"],
      ["too_tall", 6, "",
        "-2,-3,-2,-2 -2,-2,-2,-3 -2,2,-2,3 -2,3,-2,2 -1,-3,-1,-2 -1,-2,-1,-3 -1,2,-1,3 -1,3,-1,2 " +
        "1,2,1,3 1,3,1,2 2,-3,2,-2 2,-2,2,-3 2,2,2,3 2,3,2,2"],
      ["no_match", 0, "wheat grassland",
        "-2,-2,-1,-2 2,-2,2,-1 2,2,1,2"],
    ],
  },
  {
    laid: 11, domino: 10, score: 58,
    placements: [

    ],
    refused: [
    ],
  },
];

/** What the server would have answered, with which `Placing` starts. @param {typeof SCENES[0]} scene */
function choicesOf({ domino, placements, refused }) {
  return {
    phase: "place",
    domino,
    placements: placements.map(([lx, ly, rx, ry, grown]) => {
      const words = String(grown).match(/\S+ \S+ \S+ \S+/g) ?? [];
      const grows = words.map((each) => {
        const [terrain, squares, crowns, points] = each.split(" ");
        return { terrain, squares: Number(squares), crowns: Number(crowns), points: Number(points) };
      });
      const points = grows.reduce((sum, each) => sum + each.points, 0);
      return { action: `place ${lx},${ly}>${rx},${ry}`, left: [lx, ly], right: [rx, ry], points, grows };
    }),
    refused: refused.map(([code, squares, terrains, places]) => ({
      code, squares, terrains: String(terrains).split(" "),
      placements: String(places).split(" ").map((place) => place.split(",").map(Number)),
    })),
  };
}

const [place, match, crowns, box, discard] = SCENES.map((scene) => ({ ...scene, choices: choicesOf(scene) }));

/** The steps in their order; `best` is the placement that a step looks for, where not every one will do. */
export const STEPS = [
  { key: "place", ...place },
  { key: "match", ...match },
  { key: "crowns", ...crowns, best: 13 },
  { key: "claim", laid: 8, score: 33 },
  { key: "box", ...box },
  { key: "discard", ...discard },
  { key: "count", laid: 11, score: TOTAL },
];
