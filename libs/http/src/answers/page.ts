/** The page that was requested. */
interface PageNumbers {
  page: number;
  results: number;
}

/** Rows of one page. `next` is the cursor of the next page, null on the last page, and undefined for a list without cursors. */
interface PageRows<Row> {
  items: Row[];
  total: number;
  next?: string | null;
}

/** One page of a list in the envelope of the contract. The adapter adds the `link` header (RFC 8288). */
export class Page<T> {
  readonly items: T[];
  /** 1-indexed. */
  readonly page: number;
  readonly total_results: number;
  readonly total_pages: number;
  /** Not in the body. The page of a list without cursors is found by its number alone. */
  readonly #next: string | null | undefined;

  constructor({ items, total, next }: PageRows<T>, { page, results }: PageNumbers) {
    this.items = items;
    this.page = page;
    this.total_results = total;
    this.total_pages = Math.ceil(total / results);
    this.#next = next;
  }

  /** A page of views of the rows. */
  static of<Row, View>(rows: PageRows<Row>, toView: (row: Row) => View, numbers: PageNumbers): Page<View> {
    return new Page({ ...rows, items: rows.items.map(toView) }, numbers);
  }

  /** Returns links to the first, previous, next and last page for the requested address. */
  linksFor(url: string): string {
    const last = Math.max(1, this.total_pages);
    const hasNext = this.#next === undefined ? this.page < last : this.#next !== null;
    const targets: [string, number, boolean][] = [
      ['first', 1, true],
      ['prev', Math.min(this.page - 1, last), this.page > 1],
      ['next', this.page + 1, hasNext],
      ['last', last, true],
    ];
    return targets
      .filter(([, , exists]) => exists)
      .map(([rel, page]) => `<${pageAt(url, page, rel === 'next' ? this.#next : null)}>; rel="${rel}"`)
      .join(', ');
  }
}

function pageAt(url: string, page: number, cursor: string | null | undefined): string {
  const [path = '', query = ''] = url.split('?', 2);
  const search = new URLSearchParams(query);
  search.set('page', String(page));
  if (cursor) search.set('cursor', cursor);
  else search.delete('cursor');
  return `${path}?${search.toString()}`;
}
