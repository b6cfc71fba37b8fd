/** Compiles `folders` of the project's folder `from` to JavaScript in `target`, with the same paths below `from`. */
export function compileInto(target: string, from: string, folders: string[]): void;
