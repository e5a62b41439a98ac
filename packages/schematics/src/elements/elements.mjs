import { edit, withImport, withMember } from '../edit.mjs';
import { formatted } from '../formatted.mjs';
import { addNamedModule } from '../module.mjs';
import { appOf, create, importPath, moduleClass, nearestModule, placeOf } from '../place.mjs';
import { useInProduction } from '../use-in-production.mjs';
import { ELEMENTS } from './table.mjs';

/** `nest g <kind> <name> [path] -p <app>`: an element with its spec, and in its module if the table says so. */
const generatorOf = (kind) => (options) =>
  formatted((tree, context) => {
    const element = ELEMENTS[kind];
    const place = placeOf(tree, options, kind);
    const app = appOf(place.sourceRoot);
    const { sourceRoot, moduleName } = place;
    const moduleFile = `${sourceRoot}/${moduleName}/${moduleName}.module.ts`;
    if (app !== null && moduleName !== null && !tree.exists(moduleFile)) addNamedModule(tree, moduleName, sourceRoot);
    addElement(tree, place, element, options);
    if (element.packages) useInProduction(tree, context, element.packages);
    element.connect?.(tree);
  });

function addElement(tree, place, element, { spec, skipImport }) {
  const { folder, name, Name, sourceRoot } = place;
  const stem = element.suffix === '' ? name : `${name}.${element.suffix}`;
  const names = { ...place, Class: `${Name}${element.ending}`, stem };
  const file = skipImport === true || !element.list ? null : nearestModule(tree, folder, sourceRoot);
  const module = file === null ? null : moduleClass(tree, file, folder);
  create(tree, `${folder}/${stem}.ts`, element.code(names));
  if (spec !== false && element.spec) create(tree, `${folder}/${stem}.spec.ts`, element.spec({ ...names, module }));
  if (file !== null) register(tree, file, element.list, { ...names, path: `${folder}/${stem}.ts` });
}

function register(tree, file, list, { Class, path }) {
  const folder = file.slice(0, file.lastIndexOf('/'));
  edit(tree, file, withImport(`import { ${Class} } from '${importPath(folder, path)}';`));
  edit(tree, file, withMember(list, Class));
}

export const ofClass = generatorOf('class');
export const ofInterface = generatorOf('interface');
export const controller = generatorOf('controller');
export const decorator = generatorOf('decorator');
export const filter = generatorOf('filter');
export const gateway = generatorOf('gateway');
export const guard = generatorOf('guard');
export const interceptor = generatorOf('interceptor');
export const middleware = generatorOf('middleware');
export const pipe = generatorOf('pipe');
export const provider = generatorOf('provider');
export const resolver = generatorOf('resolver');
export const service = generatorOf('service');
