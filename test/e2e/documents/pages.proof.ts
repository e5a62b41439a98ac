import { documents } from '../../architecture/sources/sources.js';
import { runPage } from './run-page.js';

describe('The commands of a page, pasted into one terminal', () => {
  for (const page of documents().filter((path) => path !== 'README.md')) runPage(page);
});
