import { GeneratorError } from './names.mjs';

/** Changes a file of the tree. A file without the expected place is an error: the generator no longer fits the sources. */
export function edit(tree, path, change) {
  const before = tree.read(path)?.toString();
  const after = before === undefined ? undefined : change(before);
  if (after === undefined || after === before) throw new GeneratorError(`${path} has no place for the new code.`);
  tree.overwrite(path, after);
}

/** Adds an import after the last one. */
export const withImport = (line) => (text) => {
  const last = [...text.matchAll(/^(import [^;]*;|export [^;]* from [^;]*;)\n/gm)].at(-1);
  const at = last ? last.index + last[0].length : 0;
  return `${text.slice(0, at)}${line}\n${text.slice(at)}`;
};

/** Adds the type of an id after the last one. */
export const withIdType = (Singular, kind) => (text) =>
  text.replace(/(export type \w+ = IdOf<'\w+'>;\n)(?!export type)/, `$1export type ${Singular}Id = IdOf<'${kind}'>;\n`);

/** Adds an element at the end of a list or object that is empty or on lines of its own: `const NAME = [`, and so on. */
export const withElement = (name, element) => (text) =>
  text.replace(
    new RegExp(`(const ${name}(?:: [^=]+)? = [\\[{](?:(?=[\\]}])|\\n[\\s\\S]*?(?=\\n[\\]}])))\\n?`),
    (_, list) => `${list}\n  ${element},\n`,
  );

/** Adds an element to a list of the decorator of a module, such as `providers`. */
export const withMember = (list, element) => (text) => {
  const [decorator] = /@Module\(\{[\s\S]*?\}\)(?=\nexport )/.exec(text) ?? [];
  if (decorator === undefined) return text;
  const start = `${list}: [`;
  const changed = decorator.includes(start)
    ? decorator.replace(start, `${start}${element}, `)
    : decorator.replace(/@Module\(\{ ?/, (opening) => `${opening.trimEnd()} ${list}: [${element}], `);
  return text.replace(decorator, () => changed);
};
