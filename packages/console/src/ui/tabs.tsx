import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  name: string;
  content: ReactNode;
}

/** Views of the same thing. Arrow keys move between them (ARIA Authoring Practices, tabs). */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const [chosen, choose] = useState(0);
  const id = useId();
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        className={styles['list']}
        onKeyDown={(event) => move(event, chosen, tabs.length, choose)}
      >
        {tabs.map(({ name }, index) => (
          <button
            key={name}
            id={`${id}-tab-${index}`}
            type="button"
            role="tab"
            className={styles['tab']}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => choose(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-tab-${chosen}`}>
        {tabs[chosen]?.content}
      </div>
    </>
  );
}

/** Chooses another tab, and moves the focus to it. */
function move(event: KeyboardEvent, chosen: number, count: number, choose: (next: number) => void): void {
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowRight: 1, ArrowLeft: -1, Home: -chosen, End: count - 1 - chosen },
  };
  const step = steps[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = (chosen + step + count) % count;
  choose(next);
  const { [next]: button } = [...event.currentTarget.children];
  if (button instanceof HTMLElement) button.focus();
}
