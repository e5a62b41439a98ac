import { Link } from '@tanstack/react-router';
import styles from './pages.module.css';

/** The search of a list with pages. The first page has none. */
export interface PageSearch {
  page?: number;
}

export function readPage({ page }: Record<string, unknown>): PageSearch {
  const number = Number(page);
  return Number.isSafeInteger(number) && number > 1 ? { page: number } : {};
}

/** Links to the page before and after. Each page has an address, and other parts of the search stay. */
export function Pages({ page, total_pages }: { page: number; total_pages: number }) {
  if (total_pages < 2) return null;
  const to =
    (next: number) =>
    ({ page: _, ...others }: PageSearch) =>
      next > 1 ? { ...others, page: next } : others;
  return (
    <nav className={styles['pages']} aria-label="Pages">
      {page > 1 && (
        <Link to="." search={to(page - 1)}>
          Previous
        </Link>
      )}
      <span>
        Page {page} of {total_pages}
      </span>
      {page < total_pages && (
        <Link to="." search={to(page + 1)}>
          Next
        </Link>
      )}
    </nav>
  );
}
