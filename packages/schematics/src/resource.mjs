import { join } from 'node:path/posix';
import { edit, withElement, withIdType, withImport, withMember } from './edit.mjs';
import { formatted } from './formatted.mjs';
import { addModule } from './module.mjs';
import { GeneratorError, namesOf } from './names.mjs';
import { APPS } from './resource-apps.mjs';
import { withAlternative, withLinesBefore } from './resource-edits.mjs';
import { callsFor, entityOf, migrationOf, repositoryOf, rowFor } from './resource-files.mjs';
import { controllerOf, createDtoOf, updateDtoOf, viewOf } from './resource-routes.mjs';
import { serviceOf } from './resource-service.mjs';
import { specOf } from './resource-spec.mjs';
import { addProvider } from './service.mjs';

const PERSISTENCE = 'libs/persistence/src';
const DOMAIN = 'libs/domain/src';
const MATRIX = 'test/e2e/matrix';

/**
 * `nest g resource <plural> -p <app>`: a table with its migration, entity, owner and repository, and a module with the routes that
 * list, create, read, change and delete its rows. Every list of the project that names each resource or route has its new rows.
 * Then run the commands of docs/extending.md, and read what changed.
 */
export const main = (options) =>
  formatted((tree) => {
    const names = withForms(namesOf(options));
    const app = APPS[names.app];
    if (tree.exists(names.moduleFile)) throw new GeneratorError(`${names.moduleFile} exists.`);
    const rule = addRule(tree, names, app);
    addWords(tree, names, app);
    addTable(tree, names, app);
    addModule(tree, names, options);
    addRoutes(tree, names, app, rule);
    addTag(tree, names);
    addTests(tree, names, app);
  });

/** `snake`: as in codes and paths. `method`: of the world of the matrix. `aWord`: with its article. */
function withForms(names) {
  const { singular, Singular, word } = names;
  const article = /^(?!u[sn]|eu|one)[aeiou]/.test(word) ? 'an' : 'a';
  const method = Singular[0].toLowerCase() + Singular.slice(1);
  return { ...names, snake: singular.replaceAll('-', '_'), method, aWord: `${article} ${word}` };
}

/** Adds the rule of the contract that the view cites. Returns its id. */
function addRule(tree, { words }, { owner, chapter }) {
  let rule = '';
  edit(tree, `docs/contract/${chapter}`, (text) => {
    const last = [...text.matchAll(/^\*\*C-(\d+)\.(\d+)\*\*/gm)].at(-1);
    if (!last) return text;
    rule = `C-${last[1]}.${Number(last[2]) + 1}`;
    const started = `The ${words} of a ${owner} have different names, without regard to case.`;
    return `${text.trimEnd()}\n\n**${rule}** ${started}\nOtherwise the answer is 409 \`name_taken\`.\n`;
  });
  return rule;
}

/** Adds the words of the domain: the type of the id, the kind for headers, the error and the audit types. */
function addWords(tree, { Singular, singular, snake, word }, { exposesHeaders }) {
  const title = `${word[0].toUpperCase()}${word.slice(1)}`;
  edit(tree, `${DOMAIN}/ids.ts`, withIdType(Singular, snake));
  edit(tree, `${DOMAIN}/written.ts`, withAlternative('ResourceKind', `'${singular}'`));
  edit(
    tree,
    `${DOMAIN}/refusals/not-found-errors.ts`,
    withElement('NOT_FOUND_ERRORS', `${snake}_not_found: notFound('${word}')`),
  );
  for (const [verb, participle] of [
    ['created', 'created'],
    ['updated', 'changed'],
    ['deleted', 'deleted'],
  ])
    edit(tree, `${DOMAIN}/audit-types.ts`, withElement('AUDIT_TYPES', `${snake}_${verb}: '${title} ${participle}'`));
  if (exposesHeaders) edit(tree, 'libs/http/src/access/cross-origin.ts', withElement('RESOURCES', `'${singular}'`));
}

function addTable(tree, names, app) {
  const { plural, singular, Plural, table } = names;
  const migrations = `${PERSISTENCE}/migrations`;
  const number = nextMigration(tree, migrations);
  tree.create(`${migrations}/${number}-${plural}.ts`, migrationOf(names, app, number));
  edit(tree, `${migrations}/migrate.ts`, withImport(`import { ${Plural}${number} } from './${number}-${plural}.js';`));
  edit(tree, `${migrations}/migrate.ts`, withElement('MIGRATIONS', `${Plural}${number}`));
  edit(tree, `${PERSISTENCE}/ownership.ts`, withElement('OWNERSHIP', `${table}: { writer: '${app.writer}' }`));
  tree.create(`${PERSISTENCE}/${app.group}/entities/${singular}.entity.ts`, entityOf(names, app));
  tree.create(`${PERSISTENCE}/${app.group}/${plural}.repository.ts`, repositoryOf(names, app));
  const { Singular } = names;
  const entity = `import { ${Singular} } from './${app.group}/entities/${singular}.entity.js';`;
  edit(tree, `${PERSISTENCE}/data-source.ts`, withImport(entity));
  edit(tree, `${PERSISTENCE}/data-source.ts`, withElement('QUERIED_ENTITIES', Singular));
  edit(tree, `${PERSISTENCE}/${app.group}/index.ts`, withImport(`export * from './${plural}.repository.js';`));
}

/** The number after the newest migration. */
function nextMigration(tree, folder) {
  return Math.max(...tree.getDir(folder).subfiles.map((file) => Number(/^\d+/.exec(file)?.[0] ?? 0))) + 1;
}

function addRoutes(tree, names, app, rule) {
  const { plural, singular, Plural, folder, moduleFile } = names;
  tree.create(`${folder}/dto/create-${singular}.dto.ts`, createDtoOf(names, app));
  tree.create(`${folder}/dto/update-${singular}.dto.ts`, updateDtoOf(names, app));
  tree.create(`${folder}/dto/${singular}.view.ts`, viewOf(names, app, rule));
  tree.create(`${folder}/${plural}.controller.ts`, controllerOf(names, app));
  tree.create(`${folder}/${plural}.service.ts`, serviceOf(names, app));
  tree.create(`${folder}/${plural}.spec.ts`, specOf(names, app));
  for (const line of [
    ...app.moduleImports.map(({ line }) => line),
    `import { ${Plural}Controller } from './${plural}.controller.js';`,
  ])
    edit(tree, moduleFile, withImport(line));
  addProvider(tree, names);
  edit(tree, moduleFile, withMember('controllers', `${Plural}Controller`));
  for (const { name } of app.moduleImports) edit(tree, moduleFile, withMember('imports', name));
}

/** Adds the sentence of the tag to the API description of the app. */
function addTag(tree, { folder, words }) {
  const tag = `${words[0].toUpperCase()}${words.slice(1)}`;
  const name = /\W/.test(tag) ? `'${tag}'` : tag;
  edit(
    tree,
    join(folder, '../docs/tags.ts'),
    withElement('TAGS', `${name}: '${tag}: list, create, read, change and delete them.'`),
  );
}

/** Adds the rows of the tests that call every route, and of those that look for each route in a client. */
function addTests(tree, names, app) {
  const { camel, snake, words } = names;
  edit(tree, `${MATRIX}/world.ts`, withLinesBefore('  private idOf(', app.worldMethod(names)));
  for (const row of app.matrixRows(names)) edit(tree, `${MATRIX}/rows.ts`, withElement(app.rows, row));
  edit(tree, `${MATRIX}/updatable.ts`, withElement('UPDATABLE', app.updatable(names)));
  edit(tree, 'test/architecture/route-inventory.spec.ts', withElement('PATH_PARAMETERS', `'${snake}_id'`));
  edit(tree, 'libs/persistence/test/large-tables.fixture.ts', withElement('LISTS', app.largeTable(names)));
  const calls = `libs/persistence/test/${app.group}-calls.fixture.ts`;
  edit(tree, calls, withImport(`import { ${names.Plural}Repository } from '../src/${app.group}/index.js';`));
  edit(tree, calls, withElement(app.calls, callsFor(names, app)));
  edit(tree, 'libs/persistence/test/typeorm-rows.fixture.ts', withElement(app.typeormRows, rowFor(names, app)));
  const plans = `['${snake}.list', [TENANT, 10, 0]],\n['${snake}.count', [TENANT]],\n`;
  const endOfPlans = `  ] as [string, unknown[]][])('%s, planned for its values`;
  edit(tree, `${PERSISTENCE}/query-plans.spec.ts`, withLinesBefore(endOfPlans, plans));
  const noPage = `${camel}: 'New: no page has the ${words} yet.'`;
  edit(tree, 'packages/console/src/routes/reach.spec.ts', withElement('WITHOUT_PAGE', noPage));
  const noResource = `'${camel}.delete': 'New: the provider has no resource for ${words} yet.'`;
  edit(tree, 'test/e2e/clients/terraform-coverage.spec.ts', withElement('EXCEPTIONS', noResource));
}
