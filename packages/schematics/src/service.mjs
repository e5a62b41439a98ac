import { edit, withImport, withMember } from './edit.mjs';
import { formatted } from './formatted.mjs';
import { addModule } from './module.mjs';
import { namesOf } from './names.mjs';

/** `nest g service <plural> -p <app>`: a service with its spec, provided by its module. Creates a missing module. */
export const main = (options) =>
  formatted((tree) => {
    const names = namesOf(options);
    if (!tree.exists(names.moduleFile)) addModule(tree, names, options);
    tree.create(`${names.folder}/${names.plural}.service.ts`, serviceOf(names));
    tree.create(`${names.folder}/${names.plural}.service.spec.ts`, specOf(names));
    addProvider(tree, names);
  });

export function addProvider(tree, { Plural, plural, moduleFile }) {
  edit(tree, moduleFile, withImport(`import { ${Plural}Service } from './${plural}.service.js';`));
  edit(tree, moduleFile, withMember('providers', `${Plural}Service`));
}

const serviceOf = ({ Plural, words }) => `import { Injectable } from '@nestjs/common';

/** Checks, decides and writes for ${words}. */
@Injectable()
export class ${Plural}Service {}
`;

const specOf = ({ Plural, plural }) => `import { Test } from '@nestjs/testing';
import { ${Plural}Module } from './${plural}.module.js';
import { ${Plural}Service } from './${plural}.service.js';

describe('${Plural}Service', () => {
  it('is provided by its module', async () => {
    const module = await Test.createTestingModule({ imports: [${Plural}Module] }).compile();

    expect(module.get(${Plural}Service)).toBeInstanceOf(${Plural}Service);
  });
});
`;
