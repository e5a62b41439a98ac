import ts from 'typescript';
import { nodesOf, parse, sourcesUnder } from './sources.js';
import { writesIn, type SqlWrite } from './sql-writes.js';

/**
 * The writes of each repository method, by `Class.method`: its own statements, statements that it names, and those of
 * its helpers.
 */
export function writesByMethod(): Map<string, SqlWrite[]> {
  const repositories = sourcesUnder('libs/persistence/src').filter((path) => path.endsWith('.repository.ts'));
  return new Map(repositories.flatMap((path) => methodsOf(parse(path))));
}

function methodsOf(file: ts.SourceFile): [string, SqlWrite[]][] {
  const constants = new Map(
    file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .map((declaration) => [declaration.name.getText(), writesIn(declaration)]),
  );
  return nodesOf(file, ts.isClassDeclaration).flatMap((owner) => {
    const methods = new Map(
      owner.members.filter(ts.isMethodDeclaration).map((method) => [method.name.getText(), method]),
    );
    const writes = (method: ts.MethodDeclaration, seen: Set<ts.Node>): SqlWrite[] => {
      if (seen.has(method)) return [];
      seen.add(method);
      const named = nodesOf(method, ts.isIdentifier).flatMap(({ text }) => constants.get(text) ?? []);
      const helpers = nodesOf(method, ts.isPropertyAccessExpression)
        .filter(({ expression }) => expression.kind === ts.SyntaxKind.ThisKeyword)
        .flatMap(({ name }) => methods.get(name.text) ?? []);
      return [...writesIn(method), ...named, ...helpers.flatMap((helper) => writes(helper, seen))];
    };
    return [...methods].map(([name, method]): [string, SqlWrite[]] => [
      `${owner.name?.text}.${name}`,
      writes(method, new Set()),
    ]);
  });
}

/** The repository methods that a file calls, as `Class.method`: on fields, parameters, variables or new instances. */
export function repositoryCalls(path: string): string[] {
  const file = parse(path);
  const typed = nodesOf(
    file,
    (node): node is ts.PropertyDeclaration | ts.ParameterDeclaration =>
      ts.isPropertyDeclaration(node) || ts.isParameter(node),
  ).map((node) => [node.name.getText(), node.type?.getText() ?? classMade(node.initializer)] as const);
  const variables = nodesOf(file, ts.isVariableDeclaration).map(
    ({ name, initializer }) => [name.getText(), classMade(initializer)] as const,
  );
  const classes = new Map([...typed, ...variables].filter(([, type]) => /^\w+Repository$/.test(type)));
  return nodesOf(file, ts.isPropertyAccessExpression).flatMap(({ expression, name }) => {
    const owner = classMade(expression) || classes.get(expression.getText().replace(/^this\./, ''));
    return owner ? [`${owner}.${name.text}`] : [];
  });
}

const classMade = (node?: ts.Node): string => (node && ts.isNewExpression(node) ? node.expression.getText() : '');
