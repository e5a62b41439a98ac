import { edit, withElement, withImport, withMember } from './edit.mjs';
import { formatted } from './formatted.mjs';
import { mapModule } from './map.mjs';
import { GeneratorError } from './names.mjs';
import { appOf, create, formsOf, importPath, nearestModule, placeOf } from './place.mjs';

/** Whose rows the modules of an app are about. */
const OWNERS = { 'main-api': ' of a tenant', supervisor: ' of a deployment' };

/**
 * `nest g module <name> [path] -p <app>`: a module with its entry point, which the API processes of the app load. With a
 * path it is a part of the nearest module.
 */
export const main = (options) =>
  formatted((tree) => {
    const { name, moduleName, folder, sourceRoot, Name, words } = placeOf(tree, options, 'module');
    if (appOf(sourceRoot) !== null && moduleName === name && folder === `${sourceRoot}/${name}`)
      return addNamedModule(tree, name, sourceRoot);
    const parent = nearestModule(tree, folder, sourceRoot);
    const file = `${folder}/${name}.module.ts`;
    create(tree, file, moduleOf({ Plural: Name, words }, ''));
    if (parent === null || options.skipImport === true) return undefined;
    edit(
      tree,
      parent,
      withImport(`import { ${Name}Module } from '${importPath(parent.replace(/\/[^/]+$/, ''), file)}';`),
    );
    return edit(tree, parent, withMember('imports', `${Name}Module`));
  });

/** A module of its own folder in an app. */
export function addNamedModule(tree, moduleName, sourceRoot) {
  const { Name, words } = formsOf(moduleName, 'module');
  const folder = `${sourceRoot}/${moduleName}`;
  const moduleFile = `${folder}/${moduleName}.module.ts`;
  if (tree.exists(moduleFile)) throw new GeneratorError(`${moduleFile} exists.`);
  addModule(
    tree,
    { app: appOf(sourceRoot), Plural: Name, plural: moduleName, words, folder, moduleFile },
    { sourceRoot },
  );
}

export function addModule(tree, { app, Plural, plural, words, folder, moduleFile }, { sourceRoot }) {
  const owner = OWNERS[app] ?? '';
  tree.create(moduleFile, moduleOf({ Plural, words }, owner));
  tree.create(`${folder}/index.ts`, `export { ${Plural}Module } from './${plural}.module.js';\n`);
  const root = `${sourceRoot}/${app}.module.ts`;
  edit(tree, root, withImport(`import { ${Plural}Module } from './${plural}/index.js';`));
  edit(tree, root, withElement('MODULES', `${Plural}Module`));
  mapModule(tree, app, plural, `the ${words}${owner}`);
}

const moduleOf = ({ Plural, words }, owner) => `import { Module } from '@nestjs/common';

/** The ${words}${owner}. */
@Module({})
export class ${Plural}Module {}
`;
