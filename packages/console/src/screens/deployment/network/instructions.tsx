import type { Supervisor } from '@landlord/sdk';
import { Link } from '@tanstack/react-router';
import { Code } from '../../../ui/text/code.js';
import { Facts } from '../../../ui/text/facts.js';
import { ReadProblem, type Read } from '../../../ui/read-problem.js';
import type { NetworkSearch } from './search.js';

interface InstructionsProps {
  answer: Read<Supervisor.InstructionsView>;
}

/** The next steps of the other side, with every id that a person types. */
export const Instructions = ({ answer }: InstructionsProps) => (
  <section aria-label="Next steps">
    <ReadProblem of={answer} />
    {answer.data && (
      <>
        <h3>Next steps</h3>
        <p>{answer.data.summary}</p>
        <ol>
          {answer.data.steps.map(({ title, description, command }) => (
            <li key={title}>
              <strong>{title}</strong> {description}
              {command !== undefined && <Code label={title} text={command} />}
            </li>
          ))}
        </ol>
        <Facts
          values={Object.fromEntries(
            Object.entries(answer.data.values).map(([name, value]) => [
              name.replaceAll('_', ' '),
              <code key={name}>{value}</code>,
            ]),
          )}
        />
      </>
    )}
  </section>
);

interface OpenLinkProps {
  /** The search that opens the row. */
  opened: NetworkSearch;
  isOpen: boolean;
}

/** Opens the next steps of a row, by the address. */
export const OpenLink = ({ opened, isOpen }: OpenLinkProps) => (
  <Link to="." search={isOpen ? {} : opened} aria-expanded={isOpen} resetScroll={false}>
    {isOpen ? 'Close' : 'Show'}
  </Link>
);
