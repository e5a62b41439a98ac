import { EXIT_CHANGE, EXIT_LATER, type StartCause } from './start-cause.js';

/** The causes of a failed start on a data directory that another release uses. A part of START_CAUSES. */
export const UPGRADE_CAUSES = {
  other_release_in_use: {
    when: 'Another release of Landlord runs with the data directory',
    says: 'Landlord {release} runs with {path} (process {pid}).',
    todo: 'Run "upgrade" instead of "start": this release continues, and clients of brokers stay connected.',
    exit: EXIT_LATER,
  },
  upgrade_in_progress: {
    when: '`start` or `upgrade` while another `upgrade` runs with the data directory',
    says: 'An upgrade runs with {path} (process {pid}).',
    todo: 'Wait until it has ended. Nothing has changed.',
    exit: EXIT_LATER,
  },
  upgrade_without_hand_over: {
    when: '`upgrade` while an older release, a demo, a restore or a migration has the data directory',
    says: 'Process {pid} uses {path} and hands nothing over: it is an older release, or it is no "start".',
    todo: 'Stop it first, and start this release. docs/installation.md says how clients of an older release stay connected.',
    exit: EXIT_LATER,
  },
  upgrade_of_other_database: {
    when: '`upgrade` with another `DATABASE_URL` than the running Landlord has',
    says: 'Landlord {release} (process {pid}) uses {used}, and this release would use {own}.',
    todo: 'Set DATABASE_URL as the running Landlord has it, or stop it first. Nothing has changed.',
    exit: EXIT_CHANGE,
  },
  hand_over_unfinished: {
    when: '`upgrade`, and the running Landlord does not hand over in time',
    says: 'Landlord {release} (process {pid}) has not handed over within {seconds} seconds.',
    todo: 'Brokers and agents run on. Read the output of this process, end it with kill -9 {pid} if it hangs, and run "upgrade" again.',
    exit: EXIT_LATER,
  },
} as const satisfies Record<string, StartCause>;
