/** One page of a list in the envelope of the contract. The adapter adds the `link` header (RFC 8288). */
export class Page<T> {
  readonly items: T[];
  /** 1-indexed. */
  readonly page: number;
  readonly total_results: number;
  readonly total_pages: number;

  constructor(items: T[], total: number, { page, results }: { page: number; results: number }) {
    this.items = items;
    this.page = page;
    this.total_results = total;
    this.total_pages = Math.ceil(total / results);
  }

  /** Returns links to the first, previous, next and last page for the requested address. */
  linksFor(url: string): string {
    const last = Math.max(1, this.total_pages);
    const targets: [string, number, boolean][] = [
      ['first', 1, true],
      ['prev', Math.min(this.page - 1, last), this.page > 1],
      ['next', this.page + 1, this.page < last],
      ['last', last, true],
    ];
    return targets
      .filter(([, , exists]) => exists)
      .map(([relation, page]) => `<${withPage(url, page)}>; rel="${relation}"`)
      .join(', ');
  }
}

function withPage(url: string, page: number): string {
  const [path = '', query = ''] = url.split('?', 2);
  const search = new URLSearchParams(query);
  search.set('page', String(page));
  return `${path}?${search.toString()}`;
}
