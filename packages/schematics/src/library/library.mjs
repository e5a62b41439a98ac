import { edit, withElement } from '../edit.mjs';
import { formatted } from '../formatted.mjs';
import { mapLibrary } from '../map.mjs';
import { GeneratorError } from '../names.mjs';
import { formsOf } from '../place.mjs';
import { addProject, tsConfigOf } from '../project.mjs';

/**
 * `nest g library <name>`: a library that is imported as `@libs/<name>`, with a module, a service and its spec. It may
 * import `domain` until the table of allowed imports says more.
 */
export const main = ({ name, prefix }) =>
  formatted((tree) => {
    const forms = formsOf(name, 'library');
    const root = `libs/${forms.name}`;
    if ((prefix ?? '@libs') !== '@libs') throw new GeneratorError('Libraries are imported as @libs/<name>.');
    if (tree.getDir(root).subfiles.length + tree.getDir(root).subdirs.length > 0)
      throw new GeneratorError(`${root} exists.`);
    const files = { 'tsconfig.lib.json': tsConfigOf(forms.name), ...sourcesOf(forms) };
    for (const [file, text] of Object.entries(files)) tree.create(`${root}/${file}`, text);
    addProject(tree, { name: forms.name, type: 'library', root, entryFile: 'index', tsConfig: 'tsconfig.lib.json' });
    const key = forms.name.includes('-') ? `'${forms.name}'` : forms.name;
    edit(tree, '.dependency-cruiser.mjs', withElement('ARROWS', `${key}: ['domain']`));
    mapLibrary(tree, forms.name, forms.words);
  });

const sourcesOf = ({ name, Name, words }) => ({
  'src/index.ts': `export * from './${name}.module.js';
export * from './${name}.service.js';
`,
  [`src/${name}.module.ts`]: `import { Module } from '@nestjs/common';
import { ${Name}Service } from './${name}.service.js';

/** The ${words}, for the modules of all apps. */
@Module({ providers: [${Name}Service], exports: [${Name}Service] })
export class ${Name}Module {}
`,
  [`src/${name}.service.ts`]: `import { Injectable } from '@nestjs/common';

/** Checks, decides and writes for ${words}. */
@Injectable()
export class ${Name}Service {}
`,
  [`src/${name}.service.spec.ts`]: `import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ${Name}Module, ${Name}Service } from './index.js';

@Module({ imports: [${Name}Module] })
class UsingModule {}

describe('${Name}Service', () => {
  it('is there for a module that imports its library', async () => {
    const module = await Test.createTestingModule({ imports: [UsingModule] }).compile();

    expect(module.select(UsingModule).get(${Name}Service, { strict: false })).toBeInstanceOf(${Name}Service);
  });
});
`,
});
