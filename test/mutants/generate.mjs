import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from './play.mjs';

const { SyntaxKind } = ts;

const SWAPPED = {
  [SyntaxKind.LessThanToken]: '<=',
  [SyntaxKind.LessThanEqualsToken]: '<',
  [SyntaxKind.GreaterThanToken]: '>=',
  [SyntaxKind.GreaterThanEqualsToken]: '>',
  [SyntaxKind.EqualsEqualsEqualsToken]: '!==',
  [SyntaxKind.ExclamationEqualsEqualsToken]: '===',
  [SyntaxKind.AmpersandAmpersandToken]: '||',
  [SyntaxKind.BarBarToken]: '&&',
  [SyntaxKind.PlusToken]: '-',
  [SyntaxKind.MinusToken]: '+',
};

/** All mutants of a source file, in the order of the text. */
export function mutantsOf(file) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const visit = (node) => {
    if (isLeftOut(node)) return;
    for (const { at, replacement } of changesOf(node))
      mutants.push({ file, start: at.getStart(), end: at.getEnd(), replacement });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return mutants;
}

/**
 * Types and imports are not code, and log lines are for people. Decorators and the functions of Swagger describe routes and
 * inputs: golden files and the tests over HTTP check them. No test can see that a timeout is one unit longer.
 */
const isLeftOut = (node) =>
  [ts.isTypeNode, ts.isImportDeclaration, ts.isDecorator, isDescription, isLogLine, isTimeout].some((is) => is(node));

const isDescription = (node) => ts.isCallExpression(node) && /^Api[A-Z]/.test(node.expression.getText());

const isLogLine = (node) => ts.isCallExpression(node) && /(^|\.)(log|logger)\./.test(node.expression.getText());

const isTimeout = (node) => ts.isVariableDeclaration(node) && /_(MS|SECONDS)$/.test(node.name.getText());

function changesOf(node) {
  if (ts.isIfStatement(node)) return [negated(node.expression)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition)];
  if (ts.isBinaryExpression(node)) return swapped(node);
  if (node.kind === SyntaxKind.TrueKeyword) return [{ at: node, replacement: 'false' }];
  if (node.kind === SyntaxKind.FalseKeyword) return [{ at: node, replacement: 'true' }];
  if (ts.isNumericLiteral(node)) return [{ at: node, replacement: `(${node.getText()} + 1)` }];
  if (ts.isExpressionStatement(node) && isRemovable(node.expression)) return [{ at: node, replacement: ';' }];
  if (ts.isReturnStatement(node) && node.expression) return emptied(node.expression, node);
  if (isNamedArrow(node)) return emptied(node.body, node);
  return [];
}

const negated = (at) => ({ at, replacement: `!(${at.getText()})` });

function swapped({ left, operatorToken, right }) {
  const replacement = SWAPPED[operatorToken.kind];
  const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  return replacement && !(isText && replacement === '-') ? [{ at: operatorToken, replacement }] : [];
}

/** A call for its effect. The constructor of the base class must run. */
function isRemovable(expression) {
  const call = ts.isAwaitExpression(expression) || ts.isVoidExpression(expression) ? expression.expression : expression;
  return ts.isCallExpression(call) && call.expression.kind !== SyntaxKind.SuperKeyword && !isLogLine(call);
}

const EMPTY = ['null', 'undefined', '[]', 'this'];

function emptied(expression, owner) {
  if (EMPTY.includes(expression.getText())) return [];
  return [{ at: expression, replacement: returnsList(owner) ? '[]' : 'null' }];
}

function returnsList(node) {
  const owner = ts.findAncestor(node, ts.isFunctionLike);
  return /(\[\]|Array<.*>|\[\]>)$/.test(owner?.type?.getText() ?? '');
}

/** `const f = () => value` and members of this form. Callbacks within an expression belong to that expression. */
const isNamedArrow = (node) =>
  ts.isArrowFunction(node) &&
  !ts.isBlock(node.body) &&
  (ts.isVariableDeclaration(node.parent) ||
    ts.isPropertyDeclaration(node.parent) ||
    ts.isPropertyAssignment(node.parent));

/** What a person reads of a mutant: its place, and the text before and after, each on one line. */
export function describeMutant({ file, start, end, replacement }) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const to = newline < 0 ? text.length : newline;
  const oneLine = (part) => part.replace(/\s+/g, ' ').trim();
  return {
    place: `${file}:${text.slice(0, start).split('\n').length}`,
    before: oneLine(text.slice(from, to)),
    after: oneLine(text.slice(from, start) + replacement + text.slice(end, to)),
  };
}
