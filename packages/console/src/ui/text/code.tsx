import { useState } from 'react';
import { Button } from '../button.js';
import styles from './code.module.css';

/** Text to copy. A long line scrolls inside its box, which keys can scroll, too. */
export function Code({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <div className={styles['code']}>
      {/* A box that scrolls needs the focus for people without a mouse. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <div className={styles['copy']}>
        <Button onPress={() => void copy()}>{isCopied ? 'Copied' : 'Copy'}</Button>
      </div>
    </div>
  );
}
