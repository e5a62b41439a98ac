import { useState } from 'react';

const KEY = 'landlord.theme';
const THEMES = ['system', 'light', 'dark'];

/** The colours of the console, for this browser. */
export function ThemeChoice() {
  const [theme, setTheme] = useState(localStorage.getItem(KEY) ?? 'system');
  const choose = (next: string): void => {
    localStorage.setItem(KEY, next);
    document.documentElement.dataset['theme'] = next;
    setTheme(next);
  };
  return (
    <select aria-label="Colours" value={theme} onChange={(event) => choose(event.target.value)}>
      {THEMES.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </select>
  );
}
