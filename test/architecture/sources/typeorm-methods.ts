import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { nodesOf, parse, ROOT, sourcesUnder } from './sources.js';

/** A call of `Database.repository`. */
export interface RepositoryUse {
  path: string;
  /** `Class.method`. Empty outside a method. */
  method: string;
  /** The class of the rows. */
  entity: string;
}

/** Every place in the production sources that reads or writes rows through TypeORM. */
export function repositoryUses(): RepositoryUse[] {
  const sources = sourcesUnder('apps', 'libs').filter((path) =>
    readFileSync(join(ROOT, path), 'utf8').includes('.repository('),
  );
  return sources.flatMap((path) =>
    nodesOf(parse(path), isRepository).map((call) => ({ path, method: methodAround(call), entity: entityOf(call) })),
  );
}

/** A call of `Database.repository`. */
export const isRepository = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && /\bdatabase\s*\.repository$/.test(node.expression.getText());

function methodAround(node: ts.Node): string {
  const method = ts.findAncestor(node, ts.isMethodDeclaration);
  const owner = method && ts.isClassDeclaration(method.parent) ? method.parent.name?.text : undefined;
  return owner === undefined ? '' : `${owner}.${method?.name.getText()}`;
}

/** The entity of such a call, by its exported name: a file may import it under another name. */
export function entityOf(call: ts.CallExpression): string {
  const name = call.arguments[0]?.getText() ?? '';
  const imported = nodesOf(call.getSourceFile(), ts.isImportSpecifier).find(
    (specifier) => specifier.name.text === name,
  );
  return imported?.propertyName?.text ?? name;
}
