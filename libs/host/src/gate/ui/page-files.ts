import { readFile } from 'node:fs/promises';

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;

type File = [name: string, type: keyof typeof TYPES];

/** The files that the pages of all brokers have, by path. A path of a request is only looked up, and never becomes the name of a file. */
const SHARED: Record<string, File> = {
  '/ui/page.css': ['page', 'css'],
  '/ui/api.js': ['api', 'js'],
  '/ui/elements.js': ['elements', 'js'],
  '/ui/session.js': ['session', 'js'],
  '/ui/tables.js': ['tables', 'js'],
};
const OWN = {
  mqtt: {
    '/ui/': ['mqtt/index', 'html'],
    '/ui/mqtt/page.js': ['mqtt/page', 'js'],
    '/ui/mqtt/lists.js': ['mqtt/lists', 'js'],
    '/ui/mqtt/messages.js': ['mqtt/messages', 'js'],
  },
  iggy: {
    '/ui/': ['iggy/index', 'html'],
    '/ui/iggy/page.js': ['iggy/page', 'js'],
    '/ui/iggy/views.js': ['iggy/views', 'js'],
  },
} satisfies Record<string, Record<string, File>>;

export interface PageFile {
  type: string;
  content: Buffer;
}

/** Reads the files of one kind of page once. */
export async function loadPageFiles(kind: keyof typeof OWN): Promise<ReadonlyMap<string, PageFile>> {
  const files: Record<string, File> = { ...SHARED, ...OWN[kind] };
  const read = Object.entries(files).map(async ([path, [name, extension]]) => {
    const content = await readFile(new URL(`./page/${name}.${extension}`, import.meta.url));
    return [path, { type: TYPES[extension], content }] as const;
  });
  return new Map(await Promise.all(read));
}
