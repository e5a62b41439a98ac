import { edit, withElement, withIdType, withImport, withMember } from './edit.mjs';
import { formatted } from './formatted.mjs';
import { addModule } from './module.mjs';
import { GeneratorError, namesOf } from './names.mjs';
import { controllerOf, entityOf, migrationOf, repositoryOf, serviceOf, specOf, viewOf } from './resource-files.mjs';
import { addProvider } from './service.mjs';

const PERSISTENCE = 'libs/persistence/src';
const ROWS = 'test/e2e/matrix/rows.ts';
/** The owner of the rows, the app that writes them, and the permission to read them. */
const APPS = {
  'main-api': {
    ...{ group: 'organization', owner: 'tenant', Owner: 'Tenant', writer: 'main_api', permission: 'settings:read' },
    ...{ rows: 'ORGANIZATION', row: (table) => `[\`main-api: GET \${T}/${table}\`]: { status: 200 }` },
  },
  supervisor: {
    ...{
      group: 'runtime',
      owner: 'deployment',
      Owner: 'Deployment',
      writer: 'supervisor',
      permission: 'deployment:read',
    },
    rows: 'DEPLOYMENTS',
    row: (table) => `'supervisor: GET /deployments/:deployment_id/${table}': { status: 200, path: deployment }`,
  },
};

/**
 * `nest g resource <plural> -p <app>`: a table with its migration, entity, owner and repository, and a module with the
 * route that lists the rows. The route has its row in the matrix. Then run `npm run golden`, and read what changed.
 */
export const main = (options) =>
  formatted((tree) => {
    const names = namesOf(options);
    const app = APPS[names.app];
    if (tree.exists(names.moduleFile)) throw new GeneratorError(`${names.moduleFile} exists.`);
    addTable(tree, names, app);
    addModule(tree, names, options);
    addRoute(tree, names, app);
  });

function addTable(tree, names, app) {
  const { plural, singular, Plural, Singular, table } = names;
  const migrations = `${PERSISTENCE}/migrations`;
  const number = nextMigration(tree, migrations);
  tree.create(`${migrations}/${number}-${plural}.ts`, migrationOf(names, app, number));
  edit(tree, `${migrations}/migrate.ts`, withImport(`import { ${Plural}${number} } from './${number}-${plural}.js';`));
  edit(tree, `${migrations}/migrate.ts`, withElement('MIGRATIONS', `${Plural}${number}`));
  edit(tree, `${PERSISTENCE}/ownership.ts`, withElement('OWNERSHIP', `${table}: { writer: '${app.writer}' }`));
  edit(tree, 'libs/domain/src/ids.ts', withIdType(Singular, singular.replaceAll('-', '_')));
  tree.create(`${PERSISTENCE}/${app.group}/entities/${singular}.entity.ts`, entityOf(names, app));
  tree.create(`${PERSISTENCE}/${app.group}/${plural}.repository.ts`, repositoryOf(names, app));
  edit(tree, `${PERSISTENCE}/${app.group}/index.ts`, withImport(`export * from './${plural}.repository.js';`));
}

/** The number after the newest migration. */
function nextMigration(tree, folder) {
  return Math.max(...tree.getDir(folder).subfiles.map((file) => Number(/^\d+/.exec(file)?.[0] ?? 0))) + 1;
}

function addRoute(tree, names, app) {
  const { plural, singular, Plural, folder, moduleFile, table } = names;
  tree.create(`${folder}/dto/${singular}.view.ts`, viewOf(names, app));
  tree.create(`${folder}/${plural}.controller.ts`, controllerOf(names, app));
  tree.create(`${folder}/${plural}.service.ts`, serviceOf(names, app));
  tree.create(`${folder}/${plural}.service.spec.ts`, specOf(names, app));
  edit(tree, moduleFile, withImport(`import { PersistenceModule } from '@libs/persistence';`));
  edit(tree, moduleFile, withImport(`import { ${Plural}Repository } from '@libs/persistence/${app.group}';`));
  edit(tree, moduleFile, withImport(`import { ${Plural}Controller } from './${plural}.controller.js';`));
  addProvider(tree, names);
  edit(tree, moduleFile, withMember('controllers', `${Plural}Controller`));
  edit(tree, moduleFile, withMember('imports', `PersistenceModule.forFeature([${Plural}Repository])`));
  edit(tree, ROWS, withElement(app.rows, app.row(table)));
}
