/** Turns `folders` of the project's folder `from` into JavaScript in `target`, with the same paths below `from`. */
export function compileInto(target: string, from: string, folders: string[]): void;
