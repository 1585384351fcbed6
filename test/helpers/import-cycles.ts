/**
 * The groups of files that import each other in a cycle, each sorted by name: the strongly connected components of an import graph
 * that have more than one file (Tarjan's algorithm).
 *
 * @param graph the imports of each file; targets that are not in the graph are ignored
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const cycles: string[][] = [];

  const visit = (file: string): void => {
    order.set(file, order.size);
    let low = order.size - 1;
    stack.push(file);
    onStack.add(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      else if (!onStack.has(target)) continue;
      low = Math.min(low, lowest.get(target) ?? order.get(target) ?? low);
    }
    lowest.set(file, low);
    if (low !== order.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    for (const member of component) onStack.delete(member);
    if (component.length > 1 || graph.get(file)?.includes(file) === true) cycles.push(component.sort());
  };

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}
