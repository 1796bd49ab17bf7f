/** Called after the current test. why: a worker loads a module once, so hooks of a module are only those of its first file */
export const afterEachTest: Array<() => void> = []
