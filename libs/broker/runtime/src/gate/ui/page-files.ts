import { readFile } from 'node:fs/promises';

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;

/** The files of the page, by path. A path of a request is only looked up here, and never becomes the name of a file. */
const FILES: Record<string, [name: string, type: keyof typeof TYPES]> = {
  '/ui/': ['index', 'html'],
  '/ui/page.css': ['page', 'css'],
  '/ui/page.js': ['page', 'js'],
  '/ui/api.js': ['api', 'js'],
  '/ui/elements.js': ['elements', 'js'],
  '/ui/lists.js': ['lists', 'js'],
  '/ui/messages.js': ['messages', 'js'],
};

export interface PageFile {
  type: string;
  content: Buffer;
}

/** Reads the files once. */
export async function loadPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const read = Object.entries(FILES).map(async ([path, [name, extension]]) => {
    const content = await readFile(new URL(`./page/${name}.${extension}`, import.meta.url));
    return [path, { type: TYPES[extension], content }] as const;
  });
  return new Map(await Promise.all(read));
}
