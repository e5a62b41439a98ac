import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../../..');

const TESTS = /\.(spec|proof|fixture)\.ts$|^libs\/testing\/|^libs\/[^/]+\/test\//;

/** Paths of the production sources under these folders, relative to the root, with slashes. */
export function sourcesUnder(...folders: string[]): string[] {
  return filesUnder(folders).filter((path) => path.endsWith('.ts') && !TESTS.test(path));
}

/** Paths of the READMEs beside the code. */
export function codeReadmes(): string[] {
  return filesUnder(['apps', 'libs']).filter((path) => path.endsWith('/README.md'));
}

/** Paths of the documents: the Markdown files in the root folder and in docs, and the READMEs beside the code and of each package. */
export function documents(): string[] {
  const ofPackages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`);
  return [...readdirSync(ROOT), ...filesUnder(['docs']), ...codeReadmes(), ...ofPackages]
    .filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path)))
    .sort();
}

function filesUnder(folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

export function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** All nodes below `root`, including `root`, that `wanted` accepts. */
export function nodesOf<T extends ts.Node>(root: ts.Node, wanted: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (wanted(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** Names of the decorators of a class or method. */
export function decoratorsOf(node: ts.HasDecorators): string[] {
  return (ts.getDecorators(node) ?? []).map(({ expression }) =>
    (ts.isCallExpression(expression) ? expression.expression : expression).getText(),
  );
}
