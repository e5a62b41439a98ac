import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../build-stamp.mjs';

export const BACKGROUND_LOOPS_FILE = 'background-loops.txt';
/** Each class below one of these base classes starts a loop. */
const BASES = { Reconciler: 'continuous', ScheduledJob: 'scheduled' };

/** All background loops: name, kind, period, owning module, and docstring. */
export async function backgroundLoopFiles() {
  const classes = sourceFiles().flatMap(classesOf);
  const lines = classes
    .filter((one) => !one.isAbstract)
    .map((one) => ({ ...one, kind: kindOf(one, classes) }))
    .filter(({ kind }) => kind !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((one) => `${one.name}\n  ${one.kind}, ${periodOf(one, classes)}\n  ${one.owner}\n  ${one.text}\n`);
  return { [BACKGROUND_LOOPS_FILE]: lines.join('\n') };
}

function sourceFiles() {
  return ['apps', 'libs'].flatMap((top) =>
    readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })
      .map((name) => `${top}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && path.includes('/src/') && !/\.(spec|proof)\.ts$/.test(path)),
  );
}

function classesOf(path) {
  const source = readFileSync(join(ROOT, path), 'utf8');
  if (!/ extends |new Periodic\(/.test(source)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const constants = new Map(
    file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .map((one) => [one.name.getText(), one.initializer?.getText() ?? '']),
  );
  return file.statements.filter(ts.isClassDeclaration).map((one) => ({
    name: one.name?.text ?? '',
    base: one.heritageClauses
      ?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
      ?.types[0].expression.getText(),
    isAbstract: one.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword) ?? false,
    owner: path.split('/src/')[0] + moduleOf(path),
    text: docstringOf(one),
    superArguments: superArgumentsOf(one),
    ownPeriod:
      one.name?.text === 'Reconciler'
        ? undefined
        : /new Periodic\(\{[\s\S]*?everyMs: ([^,\n]+),/.exec(one.getText())?.[1],
    constants,
  }));
}

const moduleOf = (path) => {
  const [, inside = ''] = path.split('/src/');
  return inside.includes('/') ? `/${inside.split('/')[0]}` : '';
};

const docstringOf = (node) =>
  ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => (typeof comment === 'string' ? comment : ''))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

function superArgumentsOf(node) {
  const body = node.members.find(ts.isConstructorDeclaration)?.body;
  const call = body?.statements
    .filter(ts.isExpressionStatement)
    .map(({ expression }) => expression)
    .find((one) => ts.isCallExpression(one) && one.expression.kind === ts.SyntaxKind.SuperKeyword);
  return call?.arguments.map((one) => one.getText()) ?? [];
}

function kindOf({ base, ownPeriod }, classes) {
  if (ownPeriod !== undefined) return 'continuous';
  if (base === undefined || base in BASES) return BASES[base];
  const parent = classes.find(({ name }) => name === base);
  return parent && kindOf(parent, classes);
}

/**
 * The period is the third argument of a job and the second argument of a reconciler, in milliseconds. An intermediate
 * class may set the period.
 */
function periodOf({ base, superArguments, ownPeriod, constants }, classes) {
  const parent = classes.find(({ name }) => name === base);
  if (parent && !(base in BASES)) return periodOf(parent, classes);
  const text = ownPeriod ?? (base === 'ScheduledJob' ? superArguments[2] : superArguments[1]) ?? '';
  const inWords = text
    .replace(/\b[A-Z][A-Z_]+\b/g, (name) => constants.get(name) ?? name)
    .replace(/(\d)_(?=\d)/g, '$1');
  return `every ${/^\d/.test(inWords) && !/\s/.test(inWords) ? `${Number(inWords) / 1000} s` : inWords.replaceAll("'", '')}`;
}
