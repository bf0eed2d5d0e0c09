/** Which turns to show: both ends included, counted from 1. */
export interface TurnRange {
  readonly from: number;
  readonly to: number;
}
