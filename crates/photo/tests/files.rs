//! Files of pictures.
