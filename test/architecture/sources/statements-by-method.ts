import ts from 'typescript';
import { nodesOf, parse, sourcesUnder } from './sources.js';

/**
 * The names of the statements that each method of a repository or of an operator's command runs, by `Class.method`: its own,
 * and those of its helpers.
 */
export function statementsByMethod(): Map<string, RegExp[]> {
  const repositories = sourcesUnder('libs/persistence/src').filter((path) => path.endsWith('.repository.ts'));
  return new Map([...repositories, ...sourcesUnder('libs/operator/src')].flatMap((path) => methodsOf(parse(path))));
}

function methodsOf(file: ts.SourceFile): [string, RegExp[]][] {
  const variables = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  const functions = file.statements.filter(ts.isFunctionDeclaration);
  const declared = new Map([...variables, ...functions].map((node) => [node.name?.getText() ?? '', node as ts.Node]));
  return nodesOf(file, ts.isClassDeclaration).flatMap((owner) => {
    const methods = owner.members.filter(ts.isMethodDeclaration);
    const known = new Map([
      ...declared,
      ...methods.map((method) => [`this.${method.name.getText()}`, method] as const),
    ]);
    return methods.map((method): [string, RegExp[]] => [
      `${owner.name?.text}.${method.name.getText()}`,
      namesFrom(method, known, new Set()),
    ]);
  });
}

/** The names of the statements in a node, and in the declarations and methods that it refers to. */
function namesFrom(node: ts.Node, known: Map<string, ts.Node>, seen: Set<ts.Node>): RegExp[] {
  if (seen.has(node)) return [];
  seen.add(node);
  const references = nodesOf(node, ts.isIdentifier).flatMap((name) => known.get(referenceOf(name)) ?? []);
  return [...namesIn(node), ...references.flatMap((reference) => namesFrom(reference, known, seen))];
}

/** `name`, or `this.name`. A member of anything else refers to no declaration of the file. */
function referenceOf(name: ts.Identifier): string {
  const { parent } = name;
  if (ts.isMethodDeclaration(parent)) return '';
  return ts.isPropertyAccessExpression(parent) && parent.name === name ? parent.getText() : name.text;
}

/**
 * The names in the calls of `statement`, and both names of a call of `paged`. A name with a variable part, such as
 * `channel.take_${use}`, is a pattern.
 */
function namesIn(node: ts.Node): RegExp[] {
  const calls = nodesOf(node, ts.isCallExpression);
  const namesOf = (declaring: string): string[] =>
    calls
      .filter(({ expression }) => expression.getText() === declaring)
      .map(({ arguments: [name] }) => name?.getText().slice(1, -1) ?? '');
  const lists = namesOf('paged');
  return [...namesOf('statement'), ...lists, ...lists.map((list) => list.replace('list', 'count'))].map(
    (text) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '\\w+')}$`),
  );
}
