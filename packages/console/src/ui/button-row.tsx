import type { ReactNode } from 'react';
import styles from './button-row.module.css';

/** Buttons for the same thing. */
export const ButtonRow = ({ children }: { children: ReactNode }) => <div className={styles['row']}>{children}</div>;
