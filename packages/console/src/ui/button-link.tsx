import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactElement } from 'react';
import styles from './button.module.css';

/** A link to the next step, which looks like a button. */
export const ButtonLink: LinkComponent<(props: AnchorHTMLAttributes<HTMLAnchorElement>) => ReactElement> = createLink(
  (props: AnchorHTMLAttributes<HTMLAnchorElement>) => (
    <a {...props} className={`${styles['button']} ${styles['primary']}`} />
  ),
);
