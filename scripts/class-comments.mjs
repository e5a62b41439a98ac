// A plugin of the build, listed in nest-cli.json: the comment of a class becomes the description of its schema in the
// API description. The plugin of @nestjs/swagger does the same for members only.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import ts from 'typescript';
import { isFresh } from './generate-if-stale.mjs';

/** Readers of the API description do not have the contract. */
const CITATION = /\s*\((C-\d+\.\d+(, )?)+\)/g;
const CLIENT = /\/packages\/(sdk|cli)\/src\//;
const NAMESPACE = 'swaggerOfClassComments';

/** Called by the Nest compiler with the options of the plugin and the program. Returns a transformer of TypeScript. */
export const before = ({ fileNameSuffix }, program) => {
  // The build of Landlord compiles in a worker, and has made the clients before.
  if (isMainThread && readsClients(program) && !isFresh()) startAgain();
  return ({ factory }) =>
    (file) => {
      if (!fileNameSuffix.some((suffix) => file.fileName.endsWith(suffix))) return file;
      let hasDescriptions = false;
      const statements = file.statements.map((statement) => {
        const description = ts.isClassDeclaration(statement) ? descriptionOf(ts.getOriginalNode(statement)) : '';
        if (description === '') return statement;
        hasDescriptions = true;
        return withDescription(statement, description, factory);
      });
      return hasDescriptions ? factory.updateSourceFile(file, [importOfSwagger(factory), ...statements]) : file;
    };
};

const readsClients = (program) => program.getSourceFiles().some(({ fileName }) => CLIENT.test(fileName));

/** `npx --no nest build` has read the clients before it calls any plugin. */
function startAgain() {
  for (const words of [[join(import.meta.dirname, 'generate-if-stale.mjs')], process.argv.slice(1)]) {
    const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  process.exit(0);
}

function descriptionOf(declaration) {
  const comments = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comments.at(-1)?.comment) ?? '';
  return text.replace(CITATION, '').replace(/\s+/g, ' ').trim();
}

/** Adds `static { swagger.ApiSchema({ description })(this); }`. Unlike a decorator, it does not rename the class. */
function withDescription(declaration, description, factory) {
  const options = factory.createObjectLiteralExpression([
    factory.createPropertyAssignment('description', factory.createStringLiteral(description)),
  ]);
  const swagger = factory.createIdentifier(NAMESPACE);
  const decorator = factory.createCallExpression(
    factory.createPropertyAccessExpression(swagger, 'ApiSchema'),
    [],
    [options],
  );
  const decoration = factory.createCallExpression(decorator, [], [factory.createThis()]);
  const block = factory.createClassStaticBlockDeclaration(
    factory.createBlock([factory.createExpressionStatement(decoration)]),
  );
  const { modifiers, name, typeParameters, heritageClauses, members } = declaration;
  return factory.updateClassDeclaration(declaration, modifiers, name, typeParameters, heritageClauses, [
    block,
    ...members,
  ]);
}

function importOfSwagger(factory) {
  const namespace = factory.createNamespaceImport(factory.createIdentifier(NAMESPACE));
  const clause = factory.createImportClause(undefined, undefined, namespace);
  return factory.createImportDeclaration(undefined, clause, factory.createStringLiteral('@nestjs/swagger'));
}
