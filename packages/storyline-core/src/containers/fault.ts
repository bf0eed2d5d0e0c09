import type { IssueCode } from '../issue.ts';

/** Something about the bytes of a document that stops the scan or leaves a value out. */
export interface Fault {
  readonly code: IssueCode;
  readonly message: string;
  /** Position in the source. */
  readonly offset: number;
  /** For a truncation: whether it is inside a string. */
  readonly isInString?: boolean;
}

/** Thrown by the walkers where a document's own structure ends or breaks; caught by the driver, never seen outside. */
export class BrokenStructure extends Error {
  readonly fault: Fault;
  /** RFC 6901 pointer of the innermost value that is known, relative to the document. */
  readonly pointer: string;
  /** Whether somebody else reports it. */
  readonly isTold: boolean;

  constructor(fault: Fault, pointer = '', isTold = false) {
    super(fault.message);
    this.fault = fault;
    this.pointer = pointer;
    this.isTold = isTold;
  }
}
