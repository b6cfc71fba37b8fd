/** Shown while a page or its data is loading. */
export const PageLoading = () => (
  <div className="loading" role="status">
    <span className="visually-hidden">Loading</span>
    <span className="loading-bar" />
  </div>
);
