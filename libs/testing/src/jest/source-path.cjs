const { existsSync } = require('node:fs');
const { isAbsolute } = require('node:path');
const { fileURLToPath } = require('node:url');
const { sourceOf } = require('../../../../scripts/compile/imports.mjs');

/** The path of the source that `specifier` means in the file `importer`, or null for a package. */
exports.sourcePath = (specifier, importer) => {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier);
  const path = isAbsolute(specifier) ? specifier : sourceOf(specifier, importer);
  // A page of the console, which others import by the name of its compiled form as well.
  return path?.endsWith('.ts') && !existsSync(path) ? `${path}x` : path;
};
