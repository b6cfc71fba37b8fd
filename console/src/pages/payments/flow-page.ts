/** A page of another folder of pages: its route is not known here. */
export const flowPage = (id: number): string => `/flows/${id}`;
