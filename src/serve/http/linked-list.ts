/** A list whose nodes leave it from anywhere, each step in constant time. */

export interface ListNode<Node> {
  previous: Node | undefined
  next: Node | undefined
  /** Undefined while it is in none. */
  list: LinkedList<Node> | undefined
}

export interface LinkedList<Node> {
  readonly first: Node | undefined
  /** Takes it out of its former list first. */
  append(node: Node): void
  remove(node: Node): void
}

export function createLinkedList<Node extends ListNode<Node>>(): LinkedList<Node> {
  let first: Node | undefined
  let last: Node | undefined

  const list: LinkedList<Node> = {
    get first() {
      return first
    },
    append(node) {
      node.list?.remove(node)
      node.list = list
      node.previous = last
      node.next = undefined
      if (last === undefined) first = node
      else last.next = node
      last = node
    },
    remove(node) {
      if (node.list !== list) return
      if (node.previous === undefined) first = node.next
      else node.previous.next = node.next
      if (node.next === undefined) last = node.previous
      else node.next.previous = node.previous
      node.list = undefined
      node.previous = undefined
      node.next = undefined
    },
  }
  return list
}
