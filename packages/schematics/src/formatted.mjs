import * as prettier from 'prettier';

/** Formats all files that `generate` has created or changed in the tree, as `npm run format` does. */
export const formatted = (generate) => async (tree, context) => {
  generate(tree, context);
  const { printWidth, singleQuote, trailingComma } = { ...(await prettier.resolveConfig('apps/any.ts')) };
  for (const { path, kind } of tree.actions) {
    if (kind === 'd' || !path.endsWith('.ts')) continue;
    const options = { printWidth, singleQuote, trailingComma, filepath: path };
    tree.overwrite(path, await prettier.format(tree.read(path).toString(), options));
  }
};
