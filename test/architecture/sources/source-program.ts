import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT, sourcesUnder } from './sources.js';

/** The types of some production sources. */
export interface SourceProgram {
  checker: ts.TypeChecker;
  files: ts.SourceFile[];
  /** The path of a file, relative to the root, with slashes. */
  pathOf(file: ts.SourceFile): string;
}

/**
 * Of the packages, only these are resolved: the types of rows use no others. Reading the types of every package takes
 * twice as long.
 */
const WITH_TYPES = /^(\.|@libs\/|node:|zod)/;
const MAY_RESOLVE_MORE = /node_modules\/(@types|undici-types|zod)\//;

/** Compiles the sources under these folders. A type of an ignored package is `any`. */
export function sourceProgram(...folders: string[]): SourceProgram {
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: object;
  };
  const converted = ts.convertCompilerOptionsFromJson({ ...compilerOptions, types: ['node'], noEmit: true }, ROOT);
  const paths = new Set(sourcesUnder(...folders));
  const names = [...paths].map((path) => join(ROOT, path));
  const program = ts.createProgram(names, converted.options, hostOf(converted.options));
  const pathOf = (file: ts.SourceFile): string => relative(ROOT, file.fileName).replaceAll('\\', '/');
  const files = program.getSourceFiles().filter((file) => paths.has(pathOf(file)));
  return { checker: program.getTypeChecker(), files, pathOf };
}

function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options, true);
  const cache = ts.createModuleResolutionCache(ROOT, (name) => name, options);
  host.resolveModuleNameLiterals = (literals, file, redirected, own) =>
    literals.map(({ text }) => {
      const isResolved = file.includes('node_modules') ? MAY_RESOLVE_MORE.test(file) : WITH_TYPES.test(text);
      if (!isResolved) return { resolvedModule: undefined };
      return ts.resolveModuleName(text, file, own, host, cache, redirected, ts.ModuleKind.ESNext);
    });
  return host;
}
