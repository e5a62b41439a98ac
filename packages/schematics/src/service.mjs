import { edit, withImport, withMember } from './edit.mjs';

/** Provides the service of a module in its module. */
export function addProvider(tree, { Plural, plural, moduleFile }) {
  edit(tree, moduleFile, withImport(`import { ${Plural}Service } from './${plural}.service.js';`));
  edit(tree, moduleFile, withMember('providers', `${Plural}Service`));
}
