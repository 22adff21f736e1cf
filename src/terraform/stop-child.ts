import { type ChildProcess } from 'node:child_process';
import { type MigrationError } from '../model/migration-error';
import { type ProcessGroup } from './process-group';

/** Milliseconds that a process has which is not to be waited for: Terraform ends at once if it hears a second signal. */
const AT_ONCE = 1_000;

/** Milliseconds between two looks whether what a process has left has gone. */
const LOOK = 50;

/** How one process is stopped: asked, and where that does not do, ended with all that it has started. */
export class StopChild {
  #reason: MigrationError | undefined;
  #wasEnded = false;
  #hasExited = false;
  #isKilled = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: NodeJS.Timeout | undefined;

  /**
   * @param grace milliseconds that it may take to stop when it is asked to
   * @param over called with why, once it was stopped and nothing that it has started is left
   */
  constructor(
    private readonly child: Pick<ChildProcess, 'kill' | 'pid'>,
    private readonly group: ProcessGroup,
    private readonly grace: number,
    private readonly over: (reason: MigrationError) => void,
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
    this.#endIn(this.grace);
    this.#stop();
  }

  /** Asks it once more, which Terraform takes to end at once where it listens, and ends it where it does not. */
  hurry(): void {
    this.#wasEnded = true;
    this.group.ask(this.child);
    this.#endIn(Math.min(this.grace, AT_ONCE));
  }

  /** It has ended. It may have been a wrapper: Terraform itself, which it has left, has its time as well. */
  exited(): void {
    this.#hasExited = true;
    if (this.#reason !== undefined) this.#stop();
  }

  /** Nothing is left to be stopped. */
  forget(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#looking);
  }

  #stop(): void {
    this.group.ask(this.child);
    if (this.#hasExited) this.#look();
  }

  #look(): void {
    clearTimeout(this.#looking);
    if (this.#reason === undefined) return;
    if (this.#isKilled || !this.#lives()) this.over(this.#reason);
    else
      this.#looking = setTimeout(() => {
        this.#look();
      }, LOOK);
  }

  #endIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#end();
    }, milliseconds);
  }

  #end(): void {
    this.#wasEnded ||= this.#lives();
    this.#isKilled = true;
    if (this.child.pid !== undefined) this.group.end(this.child.pid);
    if (this.#hasExited) this.#look();
  }

  #lives(): boolean {
    return this.child.pid !== undefined && this.group.lives(this.child.pid);
  }
}
