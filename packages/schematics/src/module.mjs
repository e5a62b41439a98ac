import { edit, withElement, withImport } from './edit.mjs';
import { formatted } from './formatted.mjs';
import { GeneratorError, namesOf } from './names.mjs';

const APP_MODULES = { 'main-api': 'main-api.module.ts', supervisor: 'supervisor.module.ts' };

/** `nest g module <plural> -p <app>`: a module with its entry point. The API processes of the app load the module. */
export const main = (options) =>
  formatted((tree) => {
    const names = namesOf(options);
    if (tree.exists(names.moduleFile)) throw new GeneratorError(`${names.moduleFile} exists.`);
    addModule(tree, names, options);
  });

export function addModule(tree, { app, Plural, plural, words, folder, moduleFile }, { sourceRoot }) {
  const owner = app === 'main-api' ? 'a tenant' : 'a deployment';
  tree.create(
    moduleFile,
    `import { Module } from '@nestjs/common';

/** The ${words} of ${owner}. */
@Module({})
export class ${Plural}Module {}
`,
  );
  tree.create(`${folder}/index.ts`, `export { ${Plural}Module } from './${plural}.module.js';\n`);
  const root = `${sourceRoot}/${APP_MODULES[app]}`;
  edit(tree, root, withImport(`import { ${Plural}Module } from './${plural}/index.js';`));
  edit(tree, root, withElement('MODULES', `${Plural}Module`));
  edit(tree, 'docs/architecture.md', withFolder(app, plural, `${words} of ${owner}`));
}

/** Adds a folder to the map of the folders, before `docs` of its app. The texts begin in one column. */
const withFolder = (app, folder, words) => (text) =>
  text.replace(
    new RegExp(`(\\n  ${app}/src/[\\s\\S]*?\\n)(    docs/)`),
    (_, before, docs) => `${before}    ${`${folder}/`.padEnd(16)} ${words}\n${docs}`,
  );
