//! The components, as in ecs_bench_suite. Each library file makes its own, with the derive that its
//! library wants.

#[macro_use]
mod numbers;

/// `Transform`, `Position`, `Rotation` and `Velocity`, and `body`, which gives entity `i` its four.
macro_rules! bodies {
    ($($derive:path),*) => {
        /// A matrix of 64 bytes.
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, $($derive),*)]
        #[repr(transparent)]
        pub struct Transform(pub [f32; 16]);
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, $($derive),*)]
        #[repr(transparent)]
        pub struct Position(pub [f32; 3]);
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, $($derive),*)]
        #[repr(transparent)]
        pub struct Rotation(pub [f32; 3]);
        #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable, $($derive),*)]
        #[repr(transparent)]
        pub struct Velocity(pub [f32; 3]);

        /// The components of entity `i`: the position tells it from the others.
        #[inline(always)]
        fn body(i: u32) -> (Transform, Position, Rotation, Velocity) {
            (
                Transform($crate::math::TRANSFORM),
                Position([i as f32, 0.0, 0.0]),
                Rotation([1.0, 0.0, 0.0]),
                Velocity([1.0, 0.5, 0.25]),
            )
        }
    };
}

/// `Data` and the 26 components `A` to `Z`.
macro_rules! letters {
    (@ $derives:tt $($letter:ident)*) => {
        $(
            #[derive $derives]
            #[allow(dead_code, reason = "most letters only tell their kind from the others")]
            pub struct $letter(pub f32);
        )*
    };
    () => {
        letters!(Clone);
    };
    ($($derive:path),*) => {
        letters! { @ ($($derive),*) Data A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }
    };
}

/// Hands the names `A` to `Z` to a macro, after its own arguments.
macro_rules! each_letter {
    ($then:ident $($args:tt)*) => {
        $then! { $($args)* A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }
    };
}

/// Hands the names `A` to `J` to a macro, each with its bit in the number of a combination, after
/// its own arguments.
macro_rules! each_of_ten {
    ($then:ident $($args:tt)*) => {
        $then! { $($args)* (A 0) (B 1) (C 2) (D 3) (E 4) (F 5) (G 6) (H 7) (I 8) (J 9) }
    };
}

/// `Part<N>`, the components of wide worlds, and of the entity of a hundred systems: each type once
/// more is a storage once more for the compiler.
macro_rules! numbered_parts {
    ($($derive:path)?) => {
        #[derive(Clone, Copy, $($derive)?)]
        pub struct Part<const N: usize>(pub f32);

        /// The components of entity `i`.
        #[inline(always)]
        fn parts(i: u32) -> (Part<0>, Part<1>, Part<2>, Part<3>) {
            let [a, b, c, d] = $crate::workload::wide::values(i);
            (Part(a), Part(b), Part(c), Part(d))
        }
    };
}
