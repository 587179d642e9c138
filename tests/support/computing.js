/**
 * Finds code of the page that computes with kings, rounds and the length of lines. Reads a JSON object of sources by name,
 * and writes the expressions that it found in each.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const ts = createRequire(import.meta.url)(typescript); // a constant that the test defines
const { SyntaxKind: Kind } = ts;

const FACTS = ["kings", "rounds", "line"];
const LINES = ["line", "next_line", "to_draw", "kings_to_draw"];
/** A limit is not a computation, but its result is still a fact. */
const CHOOSING = ["Math.min", "Math.max", "Math.abs", "Number", "Math.trunc"];
const COUNTING = ["slice", "splice", "at", "with", "fill", "repeat", "padStart", "padEnd", "toSpliced", "Array"];
const ARITHMETIC = [
  Kind.PlusToken, Kind.MinusToken, Kind.AsteriskToken, Kind.AsteriskAsteriskToken, Kind.SlashToken, Kind.PercentToken,
  Kind.PlusEqualsToken, Kind.MinusEqualsToken, Kind.AsteriskEqualsToken, Kind.AsteriskAsteriskEqualsToken,
  Kind.SlashEqualsToken, Kind.PercentEqualsToken,
  Kind.LessThanLessThanToken, Kind.GreaterThanGreaterThanToken, Kind.GreaterThanGreaterThanGreaterThanToken,
  Kind.AmpersandToken, Kind.BarToken, Kind.CaretToken,
];
const COMPARISON = [
  Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken, Kind.EqualsEqualsToken, Kind.ExclamationEqualsToken,
  Kind.LessThanToken, Kind.LessThanEqualsToken, Kind.GreaterThanToken, Kind.GreaterThanEqualsToken,
];
const CHOICE = [Kind.BarBarToken, Kind.QuestionQuestionToken, Kind.AmpersandAmpersandToken];

/** The expression without parentheses, casts and assertions. */
const plain = (node) => (node.expression && [Kind.ParenthesizedExpression, Kind.AsExpression, Kind.NonNullExpression,
  Kind.SatisfiesExpression, Kind.AwaitExpression].includes(node.kind) ? plain(node.expression) : node);

const nameOf = (node) => (ts.isPropertyAccessExpression(node) ? `.${node.name.text}`
  : ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression) ? `.${node.argumentExpression.text}`
    : ts.isIdentifier(node) ? node.text : "");

const isNumber = (node) => ts.isNumericLiteral(plain(node)) && Number(plain(node).text) !== 0;

/** The expressions of a source that compute with a fact. @param {string} source */
function computing(source) {
  const file = ts.createSourceFile("", source, ts.ScriptTarget.Latest, true);
  const nodes = [];
  const visit = (node) => { nodes.push(node); ts.forEachChild(node, visit); };
  visit(file);
  const facts = new Set(FACTS.map((name) => `.${name}`));
  const lines = new Set(LINES.map((name) => `.${name}`));

  const isLine = (one) => {
    const node = plain(one);
    if (ts.isArrayLiteralExpression(node)) return node.elements.some((each) => ts.isSpreadElement(each) && isLine(each.expression));
    return lines.has(nameOf(node));
  };
  const isFact = (one) => {
    const node = plain(one);
    if (nameOf(node) === ".length") return isLine(node.expression);
    if (nameOf(node)) return facts.has(nameOf(node));
    if (ts.isConditionalExpression(node)) return isFact(node.whenTrue) || isFact(node.whenFalse);
    if (ts.isBinaryExpression(node)) return CHOICE.includes(node.operatorToken.kind) && (isFact(node.left) || isFact(node.right));
    if (ts.isCallExpression(node) && facts.has(`${nameOf(node.expression)}()`)) return true;
    if (ts.isCallExpression(node)) return CHOOSING.includes(node.expression.getText()) && node.arguments.some(isFact);
    return false;
  };

  /** The values that a function may return. */
  const returns = ({ body }) => {
    if (!body || !ts.isBlock(body)) return body ? [body] : [];
    return nodes.filter((node) => ts.isReturnStatement(node) && node.expression && node.pos >= body.pos && node.end <= body.end)
      .map(({ expression }) => expression);
  };

  // Names that hold facts or lines: until a pass finds no more.
  const bind = (target, value) => {
    if (isFact(value)) facts.add(nameOf(target));
    if (isLine(value)) lines.add(nameOf(target));
    if (ts.isFunctionLike(value) && returns(value).some(isFact)) facts.add(`${nameOf(target)}()`);
  };
  /** Whether a declaration takes a line apart. */
  const isLineOf = (node) => (ts.isBindingElement(node) ? lines.has(`.${(node.propertyName ?? node.name).getText()}`)
    : ts.isVariableDeclaration(node) && Boolean(node.initializer) && isLine(node.initializer));
  const learn = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      if (ts.isIdentifier(node.name)) bind(node.name, node.initializer);
      else if (ts.isArrayBindingPattern(node.name) && ts.isArrayLiteralExpression(plain(node.initializer))) {
        const values = plain(node.initializer).elements;
        node.name.elements.forEach((each, at) => each.name && values[at] && ts.isIdentifier(each.name) && bind(each.name, values[at]));
      }
    } else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && ts.isIdentifier(node.name)) {
      const property = `.${(node.propertyName ?? node.name).text}`;
      if (facts.has(property)) facts.add(node.name.text);
      if (lines.has(property)) lines.add(node.name.text);
      if (property === ".length" && isLineOf(node.parent.parent)) facts.add(node.name.text);
    } else if (ts.isBinaryExpression(node) && node.operatorToken.kind === Kind.EqualsToken && nameOf(node.left)) {
      bind(node.left, node.right);
    } else if (ts.isPropertyAssignment(node)) {
      if (isFact(node.initializer)) facts.add(`.${node.name.getText()}`);
    } else if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isGetAccessor(node)) && node.name
      && returns(node).some(isFact)) {
      for (const form of ts.isGetAccessor(node) ? [""] : ["()"]) facts.add(`.${node.name.getText()}${form}`).add(`${node.name.getText()}${form}`);
    } else if (ts.isPropertyDeclaration(node) && node.initializer && isFact(node.initializer)) {
      facts.add(`.${node.name.getText()}`);
    } else if (ts.isParameter(node) && ts.isIdentifier(node.name)) {
      if (["kings", "rounds"].includes(node.name.text)) facts.add(node.name.text);
      if (node.initializer) bind(node.name, node.initializer);
    }
  };
  for (let known = -1; known < facts.size + lines.size;) {
    known = facts.size + lines.size;
    nodes.forEach(learn);
  }

  const operands = (node) => {
    if (ts.isBinaryExpression(node)) {
      const { kind } = node.operatorToken;
      const both = [node.left, node.right];
      if (ARITHMETIC.includes(kind) || (COMPARISON.includes(kind) && both.some(isNumber))) return both;
    }
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      return node.operator === Kind.ExclamationToken ? [] : [node.operand];
    }
    if (ts.isElementAccessExpression(node)) return [node.argumentExpression];
    if (ts.isForStatement(node) && node.condition && ts.isBinaryExpression(node.condition)) {
      return [node.condition.left, node.condition.right];
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() === "length") return [node.initializer];
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === "length") return [node.name];
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = node.expression.getText();
      const isMath = called.startsWith("Math.") && !CHOOSING.includes(called);
      if (isMath || COUNTING.includes(called.split(".").at(-1))) return [...(node.arguments ?? [])];
    }
    return [];
  };
  const found = nodes.filter((node) => operands(node).some(isFact));
  return found.map((node) => (ts.isForStatement(node) ? node.condition : node).getText().replace(/\s+/g, " "));
}

const sources = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, computing(source)]))));
