const { existsSync } = require('node:fs');
const { isAbsolute, relative } = require('node:path');
const { fileURLToPath } = require('node:url');
const { ROOT } = require('../../../../scripts/build-stamp.mjs');
const { sourceOf } = require('../../../../scripts/compile/imports.mjs');

/** The path of the source that `specifier` means in the file `importer`, or null for a package. */
exports.sourcePath = (specifier, importer) => {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier);
  const path = isAbsolute(specifier) ? specifier : sourceOf(specifier, importer);
  // A page of the console, which others import by the name of its compiled form as well.
  return path?.endsWith('.ts') && !existsSync(path) ? `${path}x` : path;
};

/** Test files and their fixtures. They register hooks for the file that imports them. */
exports.isOfTests = (path) => /\.(spec|proof|fixture)\.tsx?$|(^|\/)test\//.test(relative(ROOT, path));
