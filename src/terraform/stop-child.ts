import { type ChildProcess } from 'node:child_process';
import { type MigrationError } from '../model/migration-error';
import { type ProcessGroup } from './process-group';

/** Milliseconds that a process has which is not to be waited for: Terraform ends at once if it hears a second signal. */
const AT_ONCE = 1_000;

/** How one process is stopped: asked, and where that does not do, ended with all that it has started. */
export class StopChild {
  #reason: MigrationError | undefined;
  #wasEnded = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param grace milliseconds that it may take to stop when it is asked to */
  constructor(
    private readonly child: Pick<ChildProcess, 'kill' | 'pid'>,
    private readonly group: ProcessGroup,
    private readonly grace: number,
  ) {}

  /** Why it was stopped; undefined where it was not. */
  get reason(): MigrationError | undefined {
    return this.#reason;
  }

  /** Whether it had no time to give back what it has locked. */
  get wasEnded(): boolean {
    return this.#wasEnded;
  }

  /** Asks it to stop; what it is asked again, for another reason, makes no difference. */
  ask(reason: MigrationError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.group.ask(this.child);
    this.#endIn(this.grace);
  }

  /** Asks it once more, which Terraform takes to end at once where it listens, and ends it where it does not. */
  hurry(): void {
    this.#wasEnded = true;
    this.group.ask(this.child);
    this.#endIn(Math.min(this.grace, AT_ONCE));
  }

  /** It has ended: what it has started, and who would hold on to what it left, goes with it. */
  ended(): void {
    clearTimeout(this.#timer);
    if (this.#reason !== undefined && !this.#isOver) this.#end();
    this.#isOver = true;
  }

  #endIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#wasEnded = true;
      this.#end();
    }, milliseconds);
  }

  #end(): void {
    if (this.child.pid !== undefined) this.group.end(this.child.pid);
  }
}
