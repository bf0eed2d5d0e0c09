/** A binary heap: the smallest element can be looked at, taken and replaced in logarithmic time. */
export interface Heap<Element> {
  peek(): Element | undefined;
  push(element: Element): void;
  /** Puts the smallest element in its place after its order changed. */
  sink(): void;
  pop(): Element | undefined;
}

/** Makes an empty heap; `compare` is that of `Array.sort`. */
export function createHeap<Element>(compare: (left: Element, right: Element) => number): Heap<Element> {
  const elements: Element[] = [];
  const before = (left: number, right: number): boolean =>
    compare(elements[left] as Element, elements[right] as Element) < 0;
  const swap = (left: number, right: number): void => {
    const element = elements[left] as Element;
    elements[left] = elements[right] as Element;
    elements[right] = element;
  };
  const sink = (): void => {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < elements.length && before(child, least)) least = child;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    peek: () => elements[0],
    push(element) {
      let at = elements.push(element) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && before(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    sink,
    pop() {
      const first = elements[0];
      const last = elements.pop();
      if (elements.length > 0 && last !== undefined) {
        elements[0] = last;
        sink();
      }
      return first;
    },
  };
}
