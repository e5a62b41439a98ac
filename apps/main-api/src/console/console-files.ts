import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { etagOf } from '@libs/http';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
/** The list of files that the build writes for other programs. */
const UNSERVED = 'manifest.json';
const PAGE = 'index.html';

/** The bytes of a file in one encoding. */
export interface Variant {
  /** Null: the file itself. */
  encoding: 'br' | 'gzip' | null;
  body: Buffer;
  etag: string;
}

/** A file of the console, with its compressed variants, the smallest first. */
export interface ConsoleFile {
  type: string;
  variants: readonly Variant[];
}

/** The folder of the built console. */
export abstract class ConsoleFolder {
  abstract readonly path: string;
}

/**
 * The built console, read into memory at the start. A request finds a file only by its exact name, so no path leads out of the
 * folder.
 */
export class ConsoleFiles {
  private constructor(private readonly files: ReadonlyMap<string, ConsoleFile>) {}

  /** A folder that does not exist has no files. */
  static read(folder: string): ConsoleFiles {
    const names = existsSync(folder) ? namesIn(folder) : [];
    const served = names.filter((name) => name !== UNSERVED && extname(name) in TYPES);
    return new ConsoleFiles(new Map(served.map((name) => [name, readFile(folder, name)])));
  }

  /** The page of the console. Null if the console is not built. */
  get page(): ConsoleFile | null {
    return this.files.get(PAGE) ?? null;
  }

  /** The file with this name, such as `assets/index-a1b2c3.js`. The page has no name of its own. */
  find(name: string): ConsoleFile | null {
    return name === PAGE ? null : (this.files.get(name) ?? null);
  }
}

const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));

function readFile(folder: string, name: string): ConsoleFile {
  const path = join(folder, name);
  const compressed = ([['br', '.br'] as const, ['gzip', '.gz'] as const] as const)
    .filter(([, ending]) => existsSync(path + ending))
    .map(([encoding, ending]) => variant(encoding, readFileSync(path + ending)));
  return { type: TYPES[extname(name)] ?? '', variants: [...compressed, variant(null, readFileSync(path))] };
}

const variant = (encoding: Variant['encoding'], body: Buffer): Variant => ({ encoding, body, etag: etagOf(body) });
