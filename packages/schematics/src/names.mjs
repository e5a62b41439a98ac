/** The name does not fit, the module exists already, or a source file has no place for the new code. */
export class GeneratorError extends Error {
  name = 'GeneratorError';
}

export const capital = (text) => text.replace(/(^|-)([a-z])/g, (_, __, letter) => letter.toUpperCase());
const singularOf = (plural) => plural.replace(/ies$/, 'y').replace(/s$/, '');

/**
 * The forms of a name. `options`: those of the Nest CLI. The name is the plural noun of the URL, in lower case with hyphens,
 * such as `usage-alerts`.
 */
export function namesOf({ name, sourceRoot }) {
  const plural = name.replaceAll('_', '-');
  if (!/^[a-z][a-z-]*s$/.test(plural))
    throw new GeneratorError(`"${name}" is not a plural noun in lower case, such as "usage-alerts".`);
  const app = /apps\/([\w-]+)/.exec(sourceRoot)?.[1];
  if (!app) throw new GeneratorError('Name the app: -p main-api, or -p supervisor.');
  const singular = singularOf(plural);
  const Plural = capital(plural);
  return {
    ...{ app, plural, singular, Plural, Singular: capital(singular), camel: Plural[0].toLowerCase() + Plural.slice(1) },
    ...{ table: plural.replaceAll('-', '_'), words: plural.replaceAll('-', ' '), word: singular.replaceAll('-', ' ') },
    folder: `${sourceRoot}/${plural}`,
    moduleFile: `${sourceRoot}/${plural}/${plural}.module.ts`,
  };
}
